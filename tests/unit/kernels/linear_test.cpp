// SPDX-License-Identifier: MIT
#include "genomamba/kernels/linear.hpp"

#include <limits>

#include "catch.hpp"
#include "kernel_test_support.hpp"

namespace genomamba::kernels {
namespace {

struct Case {
  std::size_t rows, in, out;
  std::vector<float> x, weight, bias, row_scale, y;
};

Case make_case(std::size_t rows, std::size_t in, std::size_t out) {
  test::Rng rng(rows * 10007 + in * 101 + out);
  const float bound = 1.0F / std::sqrt(static_cast<float>(in) + 1.0F);
  return {rows,
          in,
          out,
          rng.vector(rows * (in + 3)),
          rng.vector(out * in, -bound, bound),
          rng.vector(out),
          rng.vector(rows, 0.5F, 2.0F),
          rng.vector(rows * (out + 1))};
}

struct Options {
  bool bias = false;
  bool row_scale = false;
  bool accumulate = false;
  std::size_t silu_begin = static_cast<std::size_t>(-1);
};

/// Rows [begin, end) into y, which keeps its stride of out + 1.
void run_rows(const Case& c, const PackedLinear& packed, const Options& options, std::size_t begin,
              std::size_t end, std::vector<float>& y) {
  linear({c.x.data() + begin * (c.in + 3), end - begin, c.in, c.in + 3}, packed,
         {y.data() + begin * (c.out + 1), end - begin, c.out, c.out + 1},
         {.row_scale = options.row_scale ? c.row_scale.data() + begin : nullptr,
          .silu_begin = options.silu_begin,
          .accumulate = options.accumulate});
}

PackedLinear pack(const Case& c, const Options& options) {
  return PackedLinear({c.weight.data(), c.out, c.in}, options.bias ? c.bias.data() : nullptr);
}

std::vector<float> run(const Case& c, const Options& options) {
  std::vector<float> y = c.y;
  run_rows(c, pack(c, options), options, 0, c.rows, y);
  return y;
}

void compare_with_ref(const Case& c, const Options& options) {
  select_isa(Isa::kRef);
  const auto expected = run(c, options);
  for (const Isa isa : test::simd_isas()) {
    INFO(to_string(isa) << " rows " << c.rows << " in " << c.in << " out " << c.out);
    const test::UseIsa use(isa);
    const auto found = run(c, options);
    REQUIRE(test::max_error(found, expected) < 2e-6);
    // What lies between the rows of y is not touched.
    for (std::size_t m = 0; m < c.rows; ++m)
      REQUIRE(found[m * (c.out + 1) + c.out] == c.y[m * (c.out + 1) + c.out]);
  }
  select_isa(std::nullopt);
}

TEST_CASE("linear: agrees with ref for every number of rows and columns to two tiles", "[linear]") {
  for (std::size_t rows = 1; rows <= 26; ++rows)
    compare_with_ref(make_case(rows, 17, 40), {});
  for (std::size_t out = 1; out <= 100; ++out)
    compare_with_ref(make_case(7, 13, out), {.bias = true});
  for (std::size_t out = 1; out <= 200; ++out)
    compare_with_ref(make_case(1, 13, out), {.bias = true, .accumulate = out % 2 == 0});
  for (std::size_t in = 1; in <= 40; ++in)
    compare_with_ref(make_case(5, in, 24), {});
}

TEST_CASE("linear: agrees with ref on the shapes of the models", "[linear]") {
  for (const auto& [in, out] : std::vector<std::pair<std::size_t, std::size_t>>{
           {256, 1024}, {512, 256}, {512, 48}, {16, 512}, {768, 96}, {1000, 33}, {1536, 80}}) {
    compare_with_ref(make_case(70, in, out), {});
    compare_with_ref(make_case(1, in, out), {});
    compare_with_ref(make_case(8, in, out), {});
  }
}

TEST_CASE("linear: epilogues", "[linear]") {
  for (const std::size_t out : std::vector<std::size_t>{1, 8, 30, 57, 64}) {
    const Case c = make_case(9, 21, out);
    for (const std::size_t silu_begin :
         {std::size_t{0}, out / 2, out - 1, out, static_cast<std::size_t>(-1)}) {
      for (unsigned bits = 0; bits < 8; ++bits) {
        compare_with_ref(c, {.bias = (bits & 1U) != 0,
                             .row_scale = (bits & 2U) != 0,
                             .accumulate = (bits & 4U) != 0,
                             .silu_begin = silu_begin});
      }
    }
  }
}

TEST_CASE("linear: rows cut anywhere give the bits of the whole", "[linear]") {
  for (const auto& [in, out] :
       std::vector<std::pair<std::size_t, std::size_t>>{{33, 56}, {600, 40}, {5, 7}}) {
    const Case c = make_case(53, in, out);
    const Options options = {
        .bias = true, .row_scale = true, .accumulate = true, .silu_begin = out / 2};
    for (const Isa isa : test::supported_isas()) {
      const test::UseIsa use(isa);
      const PackedLinear packed = pack(c, options);
      const auto whole = run(c, options);
      for (std::size_t step = 1; step <= 53; ++step) {
        INFO(to_string(isa) << " step " << step << " in " << in << " out " << out);
        std::vector<float> y = c.y;
        for (std::size_t m = 0; m < c.rows; m += step) {
          run_rows(c, packed, options, m, std::min(c.rows, m + step), y);
        }
        REQUIRE(test::same_bits(y, whole));
      }
    }
  }
}

TEST_CASE("linear: nothing to do is done", "[linear]") {
  for (const Isa isa : test::supported_isas()) {
    const test::UseIsa use(isa);
    const Case c = make_case(3, 5, 9);
    std::vector<float> y = c.y;
    run_rows(c, pack(c, {}), {}, 1, 1, y);
    CHECK(test::same_bits(y, c.y));
  }
}

TEST_CASE("linear: NaN and infinity stay in their row", "[linear]") {
  Case c = make_case(14, 20, 24);
  c.x[3 * (c.in + 3) + 7] = std::numeric_limits<float>::quiet_NaN();
  c.x[5 * (c.in + 3) + 7] = std::numeric_limits<float>::infinity();
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const auto y = run(c, {});
    for (std::size_t m = 0; m < c.rows; ++m) {
      CHECK(std::isnan(y[m * (c.out + 1)]) == (m == 3));
      CHECK(std::isinf(y[m * (c.out + 1)]) == (m == 5));
    }
  }
}

TEST_CASE("linear: packed weights stay with the ISA they were made for", "[linear]") {
  const Case c = make_case(5, 9, 31);
  for (const Isa isa : test::supported_isas()) {
    select_isa(isa);
    const PackedLinear packed = pack(c, {});
    const auto expected = run(c, {});
    select_isa(Isa::kRef);
    std::vector<float> y = c.y;
    run_rows(c, packed, {}, 0, c.rows, y);
    CHECK(test::same_bits(y, expected));
  }
  select_isa(std::nullopt);
}

}  // namespace
}  // namespace genomamba::kernels
