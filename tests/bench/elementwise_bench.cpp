// SPDX-License-Identifier: MIT
// Convolution, norms and activations: cycles per 8 elements, and bytes a second.
#include "bench_support.hpp"
#include "genomamba/kernels/activations.hpp"
#include "genomamba/kernels/causal_conv1d.hpp"
#include "genomamba/kernels/norm.hpp"

namespace genomamba::bench {
namespace {

void report(benchmark::State& state, const BestRun& best, double elements) {
  state.counters["cycles_per_8"] = best.cycles() * 8.0 / elements;
  state.counters["elements_per_s"] = elements / best.seconds();
}

void causal_conv1d_silu(benchmark::State& state) {
  const auto channels = static_cast<std::size_t>(state.range(0));
  const auto seqlen = static_cast<std::size_t>(state.range(1));
  const std::size_t stride = padded(channels);
  const auto weight = random_values(channels * 4);
  const auto bias = random_values(channels);
  const kernels::ConvWeights weights(weight.data(), bias.data(), channels, 4);
  const auto x = random_values(seqlen * stride);
  std::vector<float> out(seqlen * stride);
  BestRun best;
  best.measure(state, [&] {
    kernels::causal_conv1d_silu({.weights = &weights,
                                 .seqlen = seqlen,
                                 .channel_begin = 0,
                                 .channel_end = channels,
                                 .x = x.data(),
                                 .x_stride = stride,
                                 .out = out.data(),
                                 .out_stride = stride});
  });
  report(state, best, static_cast<double>(channels * seqlen));
}
BENCHMARK(causal_conv1d_silu)
    ->ArgNames({"channels", "seqlen"})
    ->UseManualTime()
    ->ArgsProduct({{256, 512, 768, 1536, 2048}, {128, 2048}});

void rms_norm(benchmark::State& state) {
  const auto d_model = static_cast<std::size_t>(state.range(0));
  const auto rows = static_cast<std::size_t>(state.range(1));
  const auto x = random_values(rows * d_model);
  const auto weight = random_values(d_model);
  std::vector<float> y(rows * d_model);
  BestRun best;
  best.measure(state, [&] {
    kernels::rms_norm({x.data(), rows, d_model}, weight.data(), 1e-5F, {y.data(), rows, d_model});
  });
  report(state, best, static_cast<double>(rows * d_model));
}
BENCHMARK(rms_norm)
    ->ArgNames({"d_model", "rows"})
    ->UseManualTime()
    ->ArgsProduct({{128, 256, 768, 1024}, {256}});

void map(benchmark::State& state, void (*kernel)(const float*, float*, std::size_t)) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto x = random_values(n, -8.0F, 8.0F);
  std::vector<float> y(n);
  BestRun best;
  best.measure(state, [&] { kernel(x.data(), y.data(), n); });
  report(state, best, static_cast<double>(n));
}
void softplus(benchmark::State& state) {
  map(state, kernels::softplus);
}
void silu(benchmark::State& state) {
  map(state, kernels::silu);
}
void exp(benchmark::State& state) {
  map(state, kernels::exp);
}
BENCHMARK(softplus)->Arg(4096)->UseManualTime();
BENCHMARK(silu)->Arg(4096)->UseManualTime();
BENCHMARK(exp)->Arg(4096)->UseManualTime();

}  // namespace
}  // namespace genomamba::bench
