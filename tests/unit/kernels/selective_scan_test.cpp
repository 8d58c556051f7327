// SPDX-License-Identifier: MIT
// The selective scan of every ISA against `ref`, and `ref` against a case worked out by hand.
#include "genomamba/kernels/selective_scan.hpp"

#include <limits>

#include "catch.hpp"
#include "kernel_test_support.hpp"
#include "scan_case.hpp"

namespace genomamba::kernels {
namespace {

using test::make_scan_case;
using test::run_scan;
using test::ScanCase;
using test::ScanOptions;
using test::ScanResult;

void compare_with_ref(const ScanCase& c, const ScanOptions& options, double tolerance = 3e-6) {
  select_isa(Isa::kRef);
  const ScanResult expected = run_scan(c, options);
  for (const Isa isa : test::simd_isas()) {
    INFO(to_string(isa) << " seqlen " << c.seqlen << " d_inner " << c.d_inner << " d_state "
                        << c.d_state);
    const test::UseIsa use(isa);
    const ScanResult found = run_scan(c, options);
    REQUIRE(test::max_error(found.out, expected.out) < tolerance);
    REQUIRE(test::max_error(found.last_state, expected.last_state) < tolerance);
  }
  select_isa(std::nullopt);
}

TEST_CASE("selective_scan: a case worked out by hand", "[scan]") {
  // One channel, one state, A = -ln 2, delta = 1 (no softplus): h halves and gains B u at each
  // step.
  const std::vector<float> A = {-0.69314718F};
  const std::vector<float> u = {1.0F, 2.0F, 4.0F};
  const std::vector<float> delta = {1.0F, 1.0F, 1.0F};
  const std::vector<float> B = {1.0F, 0.5F, 1.0F};
  const std::vector<float> C = {1.0F, 2.0F, -1.0F};
  const std::vector<float> D = {0.25F};
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    std::vector<float> out(3);
    std::vector<float> last(1);
    SelectiveScanArgs args = {.seqlen = 3,
                              .d_inner = 1,
                              .d_state = 1,
                              .channel_begin = 0,
                              .channel_end = 1,
                              .u = u.data(),
                              .u_stride = 1,
                              .delta = delta.data(),
                              .delta_stride = 1,
                              .A = A.data(),
                              .B = B.data(),
                              .B_stride = 1,
                              .C = C.data(),
                              .C_stride = 1,
                              .D = D.data()};
    args.last_state = last.data();
    args.out = out.data();
    args.out_stride = 1;
    selective_scan(args);
    // h: 1, 1.5, 4.75
    CHECK(static_cast<double>(out[0]) == Approx(1.25).epsilon(1e-6));
    CHECK(static_cast<double>(out[1]) == Approx(3.5).epsilon(1e-6));
    CHECK(static_cast<double>(out[2]) == Approx(-3.75).epsilon(1e-6));
    CHECK(static_cast<double>(last[0]) == Approx(4.75).epsilon(1e-6));
    args.reverse = true;  // h: 4, 3, 2.5
    selective_scan(args);
    CHECK(static_cast<double>(out[2]) == Approx(-3.0).epsilon(1e-6));
    CHECK(static_cast<double>(out[1]) == Approx(6.5).epsilon(1e-6));
    CHECK(static_cast<double>(out[0]) == Approx(2.75).epsilon(1e-6));
  }
}

TEST_CASE("selective_scan: agrees with ref for every width to two strips", "[scan]") {
  for (std::size_t d_inner = 1; d_inner <= 131; d_inner += d_inner < 40 ? 1 : 7) {
    compare_with_ref(make_scan_case(19, d_inner, 5), {});
  }
}

TEST_CASE("selective_scan: agrees with ref for every d_state to 17 and larger ones", "[scan]") {
  for (std::size_t d_state = 1; d_state <= 17; ++d_state)
    compare_with_ref(make_scan_case(33, 21, d_state), {});
  for (const std::size_t d_state : std::vector<std::size_t>{32, 64, 128, 256})
    compare_with_ref(make_scan_case(20, 40, d_state), {}, 1e-5);
}

TEST_CASE("selective_scan: agrees with ref for every combination of arguments", "[scan]") {
  const ScanCase c = make_scan_case(37, 70, 16);
  for (unsigned bits = 0; bits < 64; ++bits) {
    compare_with_ref(c, {.D = (bits & 1U) != 0,
                         .z = (bits & 2U) != 0,
                         .delta_bias = (bits & 4U) != 0,
                         .initial_state = (bits & 8U) != 0,
                         .reverse = (bits & 16U) != 0,
                         .accumulate = (bits & 32U) != 0});
  }
}

TEST_CASE("selective_scan: agrees with ref over a long sequence", "[scan]") {
  compare_with_ref(make_scan_case(20000, 16, 4), {}, 1e-5);
}

TEST_CASE("selective_scan: slow modes do not drift", "[scan]") {
  // |delta A| = 1e-4: a memory of 10,000 steps. An exp2 that is not exactly 1 at 0 would be off by
  // percents here.
  ScanCase c = make_scan_case(30000, 8, 2);
  std::fill(c.delta.begin(), c.delta.end(), std::log(std::expm1(1e-3F)));
  std::fill(c.A.begin(), c.A.end(), -0.1F);
  std::fill(c.u.begin(), c.u.end(), 1.0F);
  std::fill(c.B.begin(), c.B.end(), 1.0F);
  compare_with_ref(c, {.z = false, .delta_bias = false}, 3e-4);
}

TEST_CASE("selective_scan: decays out of the range of the exponential", "[scan]") {
  ScanCase c = make_scan_case(40, 24, 3);
  for (std::size_t i = 0; i < c.A.size(); i += 2)
    c.A[i] = -1e4F;  // delta A far below -126
  for (std::size_t i = 0; i < c.delta.size(); i += 3)
    c.delta[i] = 60.0F;
  compare_with_ref(c, {}, 1e-5);
}

TEST_CASE("selective_scan: NaN and infinity are never made finite", "[scan]") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    for (const float bad : {kNan, kInf}) {
      for (const bool in_delta : {false, true}) {
        ScanCase c = make_scan_case(40, 20, 4);
        (in_delta ? c.delta : c.u)[21 * c.stride + 18] = bad;
        const ScanResult result = run_scan(c, {});
        for (std::size_t t = 0; t < 40; ++t) {
          CHECK(std::isfinite(result.out[t * c.stride + 18]) == (t < 21));
          CHECK(std::isfinite(result.out[t * c.stride + 17]));
        }
      }
    }
    ScanCase c = make_scan_case(40, 20, 4);
    c.z[5 * c.stride + 2] = kNan;
    const ScanResult gated = run_scan(c, {});
    CHECK(std::isnan(gated.out[5 * c.stride + 2]));
    CHECK(std::isfinite(gated.out[6 * c.stride + 2]));
    c = make_scan_case(40, 20, 4);
    c.A[3 * 4 + 1] = kNan;
    CHECK(std::isnan(run_scan(c, {}).out[3]));
    c = make_scan_case(40, 20, 4);
    c.C[7 * 6 + 1] = kNan;
    CHECK(std::isnan(run_scan(c, {}).out[7 * c.stride]));
  }
}

}  // namespace
}  // namespace genomamba::kernels
