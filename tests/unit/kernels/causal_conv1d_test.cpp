// SPDX-License-Identifier: MIT
#include "genomamba/kernels/causal_conv1d.hpp"

#include <limits>

#include "catch.hpp"
#include "kernel_test_support.hpp"

namespace genomamba::kernels {
namespace {

struct Conv {
  std::size_t channels, d_conv, seqlen;
  std::vector<float> weight, bias, x;
  std::size_t stride;
};

Conv make_conv(std::size_t channels, std::size_t d_conv, std::size_t seqlen) {
  test::Rng rng(channels * 100 + d_conv * 10 + seqlen);
  const std::size_t stride = channels + 5;
  return {channels,
          d_conv,
          seqlen,
          rng.vector(channels * d_conv),
          rng.vector(channels),
          rng.vector(seqlen * stride),
          stride};
}

/// Steps [begin, end) in the direction of time, channels [c0, c1), into out.
void run_part(const Conv& conv, bool reverse, std::size_t begin, std::size_t end, std::size_t c0,
              std::size_t c1, float* state, std::vector<float>& out) {
  const ConvWeights weights(conv.weight.data(), conv.bias.data(), conv.channels, conv.d_conv);
  const std::size_t row = reverse ? conv.seqlen - end : begin;
  causal_conv1d_silu({.weights = &weights,
                      .seqlen = end - begin,
                      .channel_begin = c0,
                      .channel_end = c1,
                      .x = conv.x.data() + row * conv.stride,
                      .x_stride = conv.stride,
                      .out = out.data() + row * conv.channels,
                      .out_stride = conv.channels,
                      .reverse = reverse,
                      .state = state});
}

std::vector<float> run(const Conv& conv, bool reverse, float* state = nullptr) {
  std::vector<float> out(conv.seqlen * conv.channels);
  run_part(conv, reverse, 0, conv.seqlen, 0, conv.channels, state, out);
  return out;
}

TEST_CASE("conv: agrees with ref for all widths, lengths, taps", "[conv]") {
  for (std::size_t channels = 1; channels <= 37; ++channels) {
    for (const std::size_t d_conv : std::vector<std::size_t>{1, 2, 3, 4, 7}) {
      for (const std::size_t seqlen : std::vector<std::size_t>{1, 2, 3, 5, 17}) {
        const Conv conv = make_conv(channels, d_conv, seqlen);
        for (const bool reverse : {false, true}) {
          select_isa(Isa::kRef);
          const auto expected = run(conv, reverse);
          for (const Isa isa : test::simd_isas()) {
            const test::UseIsa use(isa);
            INFO(to_string(isa) << " channels " << channels << " d_conv " << d_conv << " seqlen "
                                << seqlen);
            REQUIRE(test::max_error(run(conv, reverse), expected) < 1e-6);
          }
        }
      }
    }
  }
  select_isa(std::nullopt);
}

TEST_CASE("conv: impulse response is the taps, newest last", "[conv]") {
  // One channel, no bias: out[t] = SiLU(taps[d_conv - 1 - (t - 2)]) after an impulse at t = 2.
  const std::vector<float> taps = {0.5F, -1.0F, 2.0F, 3.0F};
  const ConvWeights weights(taps.data(), nullptr, 1, 4);
  std::vector<float> x(8, 0.0F);
  x[2] = 1.0F;
  const auto silu = [](float v) {
    return static_cast<double>(v) / (1.0 + std::exp(static_cast<double>(-v)));
  };
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    std::vector<float> out(8);
    causal_conv1d_silu({.weights = &weights,
                        .seqlen = 8,
                        .channel_end = 1,
                        .x = x.data(),
                        .x_stride = 1,
                        .out = out.data(),
                        .out_stride = 1});
    CHECK(out[1] == 0.0F);
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(static_cast<double>(out[2 + i]) == Approx(silu(taps[3 - i])).epsilon(1e-6));
    CHECK(out[6] == 0.0F);
    // Looking ahead instead, the response comes before the impulse, mirrored.
    std::vector<float> reversed(8);
    std::vector<float> mirrored_x(x.rbegin(), x.rend());
    causal_conv1d_silu({.weights = &weights,
                        .seqlen = 8,
                        .channel_end = 1,
                        .x = mirrored_x.data(),
                        .x_stride = 1,
                        .out = reversed.data(),
                        .out_stride = 1,
                        .reverse = true});
    CHECK(test::same_bits(std::vector<float>(reversed.rbegin(), reversed.rend()), out));
  }
}

TEST_CASE("conv: cut in time and in channels, the bits are those of the whole", "[conv]") {
  for (const std::size_t d_conv : std::vector<std::size_t>{1, 3, 4}) {
    const Conv conv = make_conv(29, d_conv, 23);
    for (const Isa isa : test::supported_isas()) {
      const test::UseIsa use(isa);
      for (const bool reverse : {false, true}) {
        const auto whole = run(conv, reverse);
        for (const std::size_t step : std::vector<std::size_t>{1, 2, 5, 22}) {
          INFO(to_string(isa) << " d_conv " << d_conv << " step " << step << " reverse "
                              << reverse);
          std::vector<float> state((d_conv - 1) * conv.channels);
          std::vector<float> out(whole.size());
          for (std::size_t t = 0; t < conv.seqlen; t += step) {
            const std::size_t end = std::min(conv.seqlen, t + step);
            run_part(conv, reverse, t, end, 0, 13, state.data(), out);
            run_part(conv, reverse, t, end, 13, 29, state.data(), out);
          }
          REQUIRE(test::same_bits(out, whole));
        }
      }
    }
  }
}

TEST_CASE("conv: NaN reaches d_conv outputs and no more", "[conv]") {
  Conv conv = make_conv(9, 4, 12);
  conv.x[3 * conv.stride + 8] = std::numeric_limits<float>::quiet_NaN();
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const auto out = run(conv, false);
    for (std::size_t t = 0; t < 12; ++t) {
      CHECK(std::isnan(out[t * 9 + 8]) == (t >= 3 && t < 7));
      CHECK(std::isfinite(out[t * 9 + 7]));
    }
  }
}

}  // namespace
}  // namespace genomamba::kernels
