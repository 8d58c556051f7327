// SPDX-License-Identifier: MIT
// ssd_scan: share of the FMA peak, counting three multiply-adds an element (headdim, d_state pair)
// and step.
#include "bench_support.hpp"
#include "genomamba/kernels/ssd_scan.hpp"

namespace genomamba::bench {
namespace {

void ssd_scan(benchmark::State& state) {
  const auto n_heads = static_cast<std::size_t>(state.range(0));
  const auto headdim = static_cast<std::size_t>(state.range(1));
  const auto d_state = static_cast<std::size_t>(state.range(2));
  constexpr std::size_t kSeqlen = 256;
  const std::size_t width = n_heads * headdim;
  const auto x = random_values(kSeqlen * width);
  const auto dt = random_values(kSeqlen * n_heads, -4.0F, 0.0F);
  const auto A = random_values(n_heads, -8.0F, -1.0F);
  const auto BC = random_values(kSeqlen * 2 * d_state);
  const auto D = random_values(n_heads);
  std::vector<float> scan_state(width * d_state);
  std::vector<float> out(kSeqlen * width);
  BestRun best;
  best.measure(state, [&] {
    kernels::ssd_scan({.seqlen = kSeqlen,
                       .n_heads = n_heads,
                       .headdim = headdim,
                       .d_state = d_state,
                       .head_begin = 0,
                       .head_end = n_heads,
                       .x = x.data(),
                       .x_stride = width,
                       .dt = dt.data(),
                       .dt_stride = n_heads,
                       .A = A.data(),
                       .B = BC.data(),
                       .B_stride = 2 * d_state,
                       .C = BC.data() + d_state,
                       .C_stride = 2 * d_state,
                       .D = D.data(),
                       .dt_softplus = true,
                       .state = scan_state.data(),
                       .out = out.data(),
                       .out_stride = width});
  });
  const double elements = static_cast<double>(kSeqlen * width * d_state);
  state.counters["cycles_per_8"] = best.cycles() * 8.0 / elements;
  state.counters["share_of_peak"] = 6e-9 * elements / best.seconds() / best.peak_gflops();
}
BENCHMARK(ssd_scan)
    ->ArgNames({"n_heads", "headdim", "d_state"})
    ->UseManualTime()
    ->Args({24, 64, 128})
    ->Args({24, 64, 64})
    ->Args({8, 64, 128})
    ->Args({8, 64, 16});

}  // namespace
}  // namespace genomamba::bench
