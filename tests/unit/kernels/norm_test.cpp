// SPDX-License-Identifier: MIT
#include "genomamba/kernels/norm.hpp"

#include <limits>

#include "catch.hpp"
#include "kernel_test_support.hpp"

namespace genomamba::kernels {
namespace {

struct Norms {
  std::vector<float> rms, scale, layer, layer_no_bias;
};

/// All four over x [rows, d_model] at a stride.
Norms run(const std::vector<float>& x, std::size_t rows, std::size_t d_model, std::size_t stride,
          const std::vector<float>& weight, const std::vector<float>& bias) {
  Norms out{std::vector<float>(rows * d_model), std::vector<float>(rows),
            std::vector<float>(rows * d_model), std::vector<float>(rows * d_model)};
  const Span2d<const float> in(x.data(), rows, d_model, stride);
  rms_norm(in, weight.data(), 1e-5F, {out.rms.data(), rows, d_model});
  rms_scale(in, 1e-5F, out.scale.data());
  layer_norm(in, weight.data(), bias.data(), 1e-5F, {out.layer.data(), rows, d_model});
  layer_norm(in, weight.data(), nullptr, 1e-5F, {out.layer_no_bias.data(), rows, d_model});
  return out;
}

TEST_CASE("norm: agrees with ref for every d_model to 70 and odd larger ones", "[norm]") {
  test::Rng rng(5);
  std::vector<std::size_t> widths = {127, 128, 129, 255, 256, 300, 768, 1001};
  for (std::size_t i = 1; i <= 70; ++i)
    widths.push_back(i);
  for (const std::size_t d_model : widths) {
    const std::size_t stride = d_model + 3;
    const auto x = rng.vector(3 * stride, -2.0F, 2.0F);
    const auto weight = rng.vector(d_model, 0.5F, 1.5F);
    const auto bias = rng.vector(d_model);
    select_isa(Isa::kRef);
    const Norms expected = run(x, 3, d_model, stride, weight, bias);
    for (const Isa isa : test::simd_isas()) {
      INFO(to_string(isa) << " d_model " << d_model);
      const test::UseIsa use(isa);
      const Norms found = run(x, 3, d_model, stride, weight, bias);
      CHECK(test::max_error(found.rms, expected.rms) < 1e-6);
      CHECK(test::max_error(found.scale, expected.scale) < 1e-6);
      if (d_model > 1) {  // a single value has no variance: both outputs are rounding noise times 1
                          // / sqrt(eps)
        CHECK(test::max_error(found.layer, expected.layer) < 5e-6);
        CHECK(test::max_error(found.layer_no_bias, expected.layer_no_bias) < 5e-6);
      }
    }
  }
  select_isa(std::nullopt);
}

TEST_CASE("norm: gated by group agrees with ref, in place too", "[norm]") {
  test::Rng rng(8);
  for (const std::size_t n_groups : std::vector<std::size_t>{1, 3}) {
    for (const std::size_t width : std::vector<std::size_t>{1, 8, 13, 64, 100}) {
      const std::size_t d_model = width * n_groups;
      const auto x = rng.vector(2 * d_model, -2.0F, 2.0F);
      const auto z = rng.vector(2 * d_model, -2.0F, 2.0F);
      const auto weight = rng.vector(d_model, 0.5F, 1.5F);
      for (const bool norm_before_gate : {false, true}) {
        const GatedNormOptions options = {.n_groups = n_groups,
                                          .norm_before_gate = norm_before_gate};
        std::vector<float> expected(x.size());
        select_isa(Isa::kRef);
        rms_norm_gated({x.data(), 2, d_model}, {z.data(), 2, d_model}, weight.data(),
                       {expected.data(), 2, d_model}, options);
        for (const Isa isa : test::simd_isas()) {
          INFO(to_string(isa) << " width " << width << " groups " << n_groups);
          const test::UseIsa use(isa);
          std::vector<float> y = x;
          rms_norm_gated({y.data(), 2, d_model}, {z.data(), 2, d_model}, weight.data(),
                         {y.data(), 2, d_model}, options);
          CHECK(test::max_error(y, expected) < 2e-6);
        }
      }
    }
  }
  select_isa(std::nullopt);
}

TEST_CASE("norm: in place, NaN and infinity", "[norm]") {
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    test::Rng rng(6);
    auto x = rng.vector(2 * 19);
    const std::vector<float> weight(19, 1.0F);
    std::vector<float> apart(x.size());
    rms_norm({x.data(), 2, 19}, weight.data(), 1e-5F, {apart.data(), 2, 19});
    auto inplace = x;
    rms_norm({inplace.data(), 2, 19}, weight.data(), 1e-5F, {inplace.data(), 2, 19});
    CHECK(test::same_bits(apart, inplace));
    layer_norm({x.data(), 2, 19}, weight.data(), nullptr, 1e-5F, {apart.data(), 2, 19});
    inplace = x;
    layer_norm({inplace.data(), 2, 19}, weight.data(), nullptr, 1e-5F, {inplace.data(), 2, 19});
    CHECK(test::same_bits(apart, inplace));

    x[18] = std::numeric_limits<float>::quiet_NaN();
    rms_norm({x.data(), 2, 19}, weight.data(), 1e-5F, {apart.data(), 2, 19});
    CHECK(std::isnan(apart[0]));
    CHECK(std::isfinite(apart[19]));
    layer_norm({x.data(), 2, 19}, weight.data(), nullptr, 1e-5F, {apart.data(), 2, 19});
    CHECK(std::isnan(apart[0]));
    CHECK(std::isfinite(apart[19]));
  }
}

}  // namespace
}  // namespace genomamba::kernels
