// SPDX-License-Identifier: MIT
#include "genomamba/kernels/activations.hpp"

#include <limits>

#include "catch.hpp"
#include "kernel_test_support.hpp"

namespace genomamba::kernels {
namespace {

using Kernel = void (*)(const float*, float*, std::size_t);
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Largest relative error of `kernel` against `exact` over a dense grid; results below the normal
/// range are skipped.
template <typename Exact>
double worst_relative(Kernel kernel, Exact exact, float low, float high) {
  constexpr std::size_t kPoints = 200001;
  std::vector<float> x(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) {
    x[i] = low + (high - low) * (static_cast<float>(i) / static_cast<float>(kPoints - 1));
  }
  std::vector<float> y(kPoints);
  kernel(x.data(), y.data(), kPoints);
  double worst = 0.0;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double expected = exact(static_cast<double>(x[i]));
    if (std::fabs(expected) < 2.4e-38) continue;
    worst = std::max(worst, std::fabs(static_cast<double>(y[i]) - expected) / std::fabs(expected));
  }
  return worst;
}

double exact_exp(double x) {
  return std::exp(x);
}
double exact_silu(double x) {
  return x / (1.0 + std::exp(-x));
}
double exact_softplus(double x) {
  return x > 20.0 ? x : std::log1p(std::exp(x));
}

std::vector<float> apply(Kernel kernel, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  kernel(x.data(), y.data(), x.size());
  return y;
}

TEST_CASE("activations: relative error on dense grids", "[activations]") {
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    CHECK(worst_relative(exp, exact_exp, -87.33F, 88.72F) < 2e-7);
    CHECK(worst_relative(exp, exact_exp, -1.0F, 1.0F) < 2e-7);
    CHECK(worst_relative(silu, exact_silu, -20.0F, 80.0F) < 2e-6);
    CHECK(worst_relative(silu, exact_silu, -80.0F, -20.0F) < 8e-6);
    CHECK(worst_relative(silu, exact_silu, -1.0F, 1.0F) < 6e-7);
    CHECK(worst_relative(softplus, exact_softplus, -20.0F, 80.0F) < 2e-6);
    CHECK(worst_relative(softplus, exact_softplus, -80.0F, -20.0F) < 8e-6);
    CHECK(worst_relative(softplus, exact_softplus, -2.0F, 2.0F) < 1e-6);
  }
}

TEST_CASE("activations: softplus around the threshold of 20 and far below 0", "[activations]") {
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const auto y = apply(softplus, {19.9F, 20.0F, 20.1F, 1000.0F, -50.0F, -1000.0F, 0.0F});
    CHECK(y[0] == 19.9F);  // log1p(exp(19.9)) rounds to 19.9
    CHECK(y[1] == 20.0F);
    CHECK(y[2] == 20.1F);
    CHECK(y[3] == 1000.0F);
    CHECK(static_cast<double>(y[4]) == Approx(std::exp(-50.0)).epsilon(4e-6));
    CHECK(y[5] >= 0.0F);
    CHECK(y[5] < 2e-38F);
    CHECK(static_cast<double>(y[6]) == Approx(std::log(2.0)).epsilon(2e-7));
  }
}

TEST_CASE("activations: NaN stays NaN, infinities have their limits", "[activations]") {
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const std::vector<float> x = {kNan, kInf, -kInf, 1.0F, -kNan, 200.0F, -200.0F};
    const auto e = apply(exp, x);
    CHECK(std::isnan(e[0]));
    CHECK(e[1] == kInf);
    CHECK(e[2] == 0.0F);
    CHECK(std::isnan(e[4]));
    CHECK(e[5] == kInf);
    CHECK(e[6] == 0.0F);
    const auto s = apply(silu, x);
    CHECK(std::isnan(s[0]));
    CHECK(s[1] == kInf);
    CHECK_FALSE(std::isfinite(s[2]));
    CHECK(std::isnan(s[4]));
    CHECK(s[5] == 200.0F);
    CHECK(std::fabs(s[6]) < 1e-35F);
    const auto p = apply(softplus, x);
    CHECK(std::isnan(p[0]));
    CHECK(p[1] == kInf);
    CHECK(p[2] >= 0.0F);
    CHECK(p[2] < 2e-38F);
    CHECK(std::isnan(p[4]));
  }
}

TEST_CASE("activations: every length and place gives the same bits, in place too",
          "[activations]") {
  test::Rng rng(11);
  const auto x = rng.vector(67, -30.0F, 30.0F);
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    for (const Kernel kernel :
         {static_cast<Kernel>(exp), static_cast<Kernel>(silu), static_cast<Kernel>(softplus)}) {
      const auto whole = apply(kernel, x);
      for (std::size_t begin = 0; begin < 9; ++begin) {
        for (std::size_t n = 0; begin + n <= x.size(); ++n) {
          std::vector<float> part(x.begin() + static_cast<std::ptrdiff_t>(begin),
                                  x.begin() + static_cast<std::ptrdiff_t>(begin + n));
          kernel(part.data(), part.data(), n);
          REQUIRE(std::equal(part.begin(), part.end(),
                             whole.begin() + static_cast<std::ptrdiff_t>(begin)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace genomamba::kernels
