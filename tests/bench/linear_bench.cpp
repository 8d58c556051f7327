// SPDX-License-Identifier: MIT
// The projections of the models of README (K inputs, N outputs) at several numbers of rows: share
// of the FMA peak.
#include "bench_support.hpp"
#include "genomamba/kernels/linear.hpp"

namespace genomamba::bench {
namespace {

void linear(benchmark::State& state) {
  const auto K = static_cast<std::size_t>(state.range(0));
  const auto N = static_cast<std::size_t>(state.range(1));
  const auto M = static_cast<std::size_t>(state.range(2));
  const auto weight = random_values(K * N);
  const kernels::PackedLinear packed({weight.data(), N, K});
  const auto x = random_values(M * padded(K));
  std::vector<float> y(M * padded(N));
  BestRun best;
  best.measure(state, [&] {
    kernels::linear({x.data(), M, K, padded(K)}, packed, {y.data(), M, N, padded(N)});
  });
  const double gflops = 2e-9 * static_cast<double>(M * N * K) / best.seconds();
  state.counters["gflops"] = gflops;
  state.counters["share_of_peak"] = gflops / best.peak_gflops();
}

void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"K", "N", "M"})->UseManualTime()->Unit(benchmark::kMicrosecond);
  // d_model: in_proj (d, 4 d), x_proj (2 d, r + 32), dt_proj (r, 2 d), out_proj (2 d, d), r =
  // ceil(d / 16).
  for (const int d : {128, 256, 384, 512, 768, 1024}) {
    const int r = (d + 15) / 16;
    for (const int rows : {1, 8, 64, 256, 512, 4096}) {
      b->Args({d, 4 * d, rows})
          ->Args({2 * d, r + 32, rows})
          ->Args({r, 2 * d, rows})
          ->Args({2 * d, d, rows});
    }
  }
}

BENCHMARK(linear)->Apply(shapes);

}  // namespace
}  // namespace genomamba::bench
