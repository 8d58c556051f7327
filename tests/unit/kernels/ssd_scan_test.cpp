// SPDX-License-Identifier: MIT
#include "genomamba/kernels/ssd_scan.hpp"

#include <limits>

#include "catch.hpp"
#include "kernel_test_support.hpp"

namespace genomamba::kernels {
namespace {

struct Ssd {
  std::size_t seqlen, n_heads, headdim, d_state, ngroups;
  std::vector<float> x, dt, A, B, C, D, D_hdim, z, dt_bias;
  std::size_t width() const { return n_heads * headdim; }
};

Ssd make_ssd(std::size_t seqlen, std::size_t n_heads, std::size_t headdim, std::size_t d_state,
             std::size_t ngroups) {
  test::Rng rng(seqlen * 31 + n_heads * 17 + headdim * 5 + d_state);
  const std::size_t width = n_heads * headdim;
  return {seqlen,
          n_heads,
          headdim,
          d_state,
          ngroups,
          rng.vector(seqlen * width),
          rng.vector(seqlen * n_heads, -2.0F, 2.0F),
          rng.vector(n_heads, -8.0F, -0.1F),
          rng.vector(seqlen * ngroups * d_state),
          rng.vector(seqlen * ngroups * d_state),
          rng.vector(n_heads),
          rng.vector(width),
          rng.vector(seqlen * width, -3.0F, 3.0F),
          rng.vector(n_heads, -3.0F, -1.0F)};
}

struct Options {
  bool D = true;
  bool D_has_hdim = false;
  bool z = false;
  bool reverse = false;
  bool accumulate = false;
  float dt_min = 0.0F;
  float dt_max = std::numeric_limits<float>::infinity();
};

struct Result {
  std::vector<float> out, state;
};

Result make_result(const Ssd& c) {
  return {std::vector<float>(c.seqlen * c.width(), 0.5F),
          std::vector<float>(c.n_heads * c.d_state * c.headdim)};
}

/// Steps [begin, end) in the direction of time, heads [h0, h1).
void run_part(const Ssd& c, const Options& o, std::size_t begin, std::size_t end, std::size_t h0,
              std::size_t h1, Result& result) {
  const std::size_t row = o.reverse ? c.seqlen - end : begin;
  const std::size_t bc_width = c.ngroups * c.d_state;
  ssd_scan({.seqlen = end - begin,
            .n_heads = c.n_heads,
            .headdim = c.headdim,
            .d_state = c.d_state,
            .ngroups = c.ngroups,
            .head_begin = h0,
            .head_end = h1,
            .x = c.x.data() + row * c.width(),
            .x_stride = c.width(),
            .dt = c.dt.data() + row * c.n_heads,
            .dt_stride = c.n_heads,
            .A = c.A.data(),
            .B = c.B.data() + row * bc_width,
            .B_stride = bc_width,
            .C = c.C.data() + row * bc_width,
            .C_stride = bc_width,
            .D = !o.D           ? nullptr
                 : o.D_has_hdim ? c.D_hdim.data()
                                : c.D.data(),
            .D_has_hdim = o.D_has_hdim,
            .z = o.z ? c.z.data() + row * c.width() : nullptr,
            .z_stride = c.width(),
            .dt_bias = c.dt_bias.data(),
            .dt_softplus = true,
            .dt_limit_min = o.dt_min,
            .dt_limit_max = o.dt_max,
            .reverse = o.reverse,
            .accumulate = o.accumulate,
            .state = result.state.data(),
            .out = result.out.data() + row * c.width(),
            .out_stride = c.width()});
}

Result run(const Ssd& c, const Options& o) {
  Result result = make_result(c);
  run_part(c, o, 0, c.seqlen, 0, c.n_heads, result);
  return result;
}

void compare_with_ref(const Ssd& c, const Options& o) {
  select_isa(Isa::kRef);
  const Result expected = run(c, o);
  for (const Isa isa : test::simd_isas()) {
    INFO(to_string(isa) << " seqlen " << c.seqlen << " heads " << c.n_heads << " headdim "
                        << c.headdim << " d_state " << c.d_state);
    const test::UseIsa use(isa);
    const Result found = run(c, o);
    REQUIRE(test::max_error(found.out, expected.out) < 1e-5);
    REQUIRE(test::max_error(found.state, expected.state) < 1e-5);
  }
  select_isa(std::nullopt);
}

TEST_CASE("ssd_scan: agrees with ref for sizes and arguments", "[ssd]") {
  for (std::size_t headdim = 1; headdim <= 35; ++headdim)
    compare_with_ref(make_ssd(9, 3, headdim, 5, 1), {});
  for (std::size_t seqlen = 1; seqlen <= 35; ++seqlen)
    compare_with_ref(make_ssd(seqlen, 2, 16, 7, 2), {});
  for (const std::size_t heads : std::vector<std::size_t>{1, 8, 31, 32, 33, 70}) {
    compare_with_ref(make_ssd(6, heads, 8, 4, 1), {});
  }
  compare_with_ref(make_ssd(300, 4, 64, 128, 2), {});
  const Ssd c = make_ssd(21, 6, 24, 16, 3);
  for (unsigned bits = 0; bits < 32; ++bits) {
    compare_with_ref(c, {.D = (bits & 1U) != 0,
                         .D_has_hdim = (bits & 2U) != 0,
                         .z = (bits & 4U) != 0,
                         .reverse = (bits & 8U) != 0,
                         .accumulate = (bits & 16U) != 0});
  }
  compare_with_ref(c, {.dt_min = 0.05F, .dt_max = 0.2F});
}

TEST_CASE("ssd_scan: cut in time and heads, the bits are those of the whole", "[ssd]") {
  const Ssd c = make_ssd(41, 5, 20, 6, 1);
  for (const Isa isa : test::supported_isas()) {
    const test::UseIsa use(isa);
    for (const bool reverse : {false, true}) {
      const Options o = {.z = true, .reverse = reverse};
      const Result whole = run(c, o);
      for (const std::size_t step : std::vector<std::size_t>{1, 3, 4, 16, 17, 40}) {
        INFO(to_string(isa) << " step " << step);
        Result parts = make_result(c);
        for (std::size_t t = 0; t < c.seqlen; t += step) {
          const std::size_t end = std::min(c.seqlen, t + step);
          run_part(c, o, t, end, 0, 2, parts);
          run_part(c, o, t, end, 2, 5, parts);
        }
        REQUIRE(test::same_bits(parts.out, whole.out));
        REQUIRE(test::same_bits(parts.state, whole.state));
      }
    }
  }
}

TEST_CASE("ssd_scan: NaN stays", "[ssd]") {
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    Ssd c = make_ssd(12, 3, 10, 4, 1);
    c.dt[5 * 3 + 1] = std::numeric_limits<float>::quiet_NaN();
    const Result result = run(c, {});
    for (std::size_t t = 0; t < 12; ++t) {
      CHECK(std::isnan(result.out[t * 30 + 12]) == (t >= 5));
      CHECK(std::isfinite(result.out[t * 30 + 5]));
    }
  }
}

}  // namespace
}  // namespace genomamba::kernels
