// SPDX-License-Identifier: MIT
// The decay of the scan, 2^a: value and decay-rate error over the floats of [-126, 0].
#include <bit>
#include <limits>

#include "catch.hpp"
#include "kernel_table.hpp"
#include "kernel_test_support.hpp"

namespace genomamba::kernels {
namespace {

std::vector<float> scan_exp2(const std::vector<float>& a) {
  std::vector<float> y(a.size());
  active_table().scan_exp2(a.data(), y.data(), a.size());
  return y;
}

struct Errors {
  double value = 0.0;
  double rate = 0.0;  // |(2^a)' - 2^a| / |2^a - 1|, less what float leaves: 1.2e-7 / |a|
};

/// Every `step`-th float from -0 down to -126.
Errors sweep(std::uint32_t step) {
  constexpr std::uint32_t kMinusZero = 0x80000000U;
  const auto kLast = std::bit_cast<std::uint32_t>(-126.0F);
  Errors worst;
  std::vector<float> a;
  for (std::uint64_t bits = kMinusZero; bits <= kLast; bits += step) {
    a.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (a.size() < 65536 && bits + step <= kLast) continue;
    const auto y = scan_exp2(a);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double x = static_cast<double>(a[i]);
      const double error = std::fabs(static_cast<double>(y[i]) - std::exp2(x));
      worst.value = std::max(worst.value, error / std::exp2(x));
      if (x < 0.0) {
        const double rate = error / -std::expm1(x * 0.6931471805599453) - 1.2e-7 / -x;
        worst.rate = std::max(worst.rate, rate);
      }
    }
    a.clear();
  }
  return worst;
}

TEST_CASE("scan_exp2: errors over the floats of [-126, 0]", "[exp2]") {
  // A prime step meets every exponent and all low bits; the whole range is swept by the test tagged
  // [.full].
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const Errors worst = sweep(1009);
    CHECK(worst.value <= 1e-6);
    CHECK(worst.rate <= 1e-5);
  }
}

TEST_CASE("scan_exp2: every float of [-126, 0]", "[.full]") {
  for (const Isa isa : test::simd_isas()) {
    const test::UseIsa use(isa);
    const Errors worst = sweep(1);
    WARN(to_string(isa) << ": value error " << worst.value << ", rate error " << worst.rate);
    CHECK(worst.value <= 1e-6);
    CHECK(worst.rate <= 1e-5);
  }
}

TEST_CASE("scan_exp2: exact at 0, never negative below the range, NaN stays", "[exp2]") {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const auto y = scan_exp2({0.0F, -0.0F, -1e-20F, -1.0F, -126.0F});
    CHECK(y[0] == 1.0F);
    CHECK(y[1] == 1.0F);
    CHECK(y[2] == 1.0F);
    CHECK(y[3] == 0.5F);
    CHECK(y[4] == 0x1p-126F);
    for (const float a :
         {-126.001F, -126.5F, -127.0F, -140.0F, -1e3F, -1e6F, -1e20F, -3e38F, -kInf}) {
      const float e = scan_exp2({a})[0];
      CHECK(e >= 0.0F);
      CHECK(static_cast<double>(e) <= std::exp2(static_cast<double>(a)) * (1.0 + 1e-7));
    }
    CHECK(std::isnan(scan_exp2({std::numeric_limits<float>::quiet_NaN()})[0]));
    CHECK(scan_exp2({kInf})[0] == kInf);
    CHECK(scan_exp2({1e6F})[0] == kInf);
    CHECK(static_cast<double>(scan_exp2({100.3F})[0]) ==
          Approx(std::exp2(static_cast<double>(100.3F))).epsilon(1e-6));
  }
}

}  // namespace
}  // namespace genomamba::kernels
