// SPDX-License-Identifier: MIT
// selective_scan: cycles per 8 elements, an element being one (channel, state) pair at one step.
#include "bench_support.hpp"
#include "genomamba/kernels/linear.hpp"
#include "genomamba/kernels/selective_scan.hpp"

namespace genomamba::bench {
namespace {

struct Inputs {
  std::size_t seqlen, d_inner, d_state, stride;
  std::vector<float> u, delta, z, A, BC, D, delta_bias, out;
};

/// raw_delta: before softplus and bias; else as the recurrence takes it.
Inputs make_inputs(std::size_t seqlen, std::size_t d_inner, std::size_t d_state, bool raw_delta) {
  const std::size_t stride = padded(d_inner);
  return {seqlen,
          d_inner,
          d_state,
          stride,
          random_values(seqlen * stride),
          raw_delta ? random_values(seqlen * stride, -2.0F, 2.0F)
                    : random_values(seqlen * stride, 0.001F, 0.1F),
          random_values(seqlen * stride, -3.0F, 3.0F),
          random_values(d_inner * d_state, -16.0F, -0.1F),
          random_values(seqlen * 2 * d_state),
          random_values(d_inner),
          random_values(d_inner, -4.0F, -2.0F),
          std::vector<float>(seqlen * stride)};
}

void report(benchmark::State& state, const BestRun& best, const Inputs& in) {
  const double elements = static_cast<double>(in.seqlen * in.d_inner * in.d_state);
  state.counters["cycles_per_8"] = best.cycles() * 8.0 / elements;
  state.counters["elements_per_s"] = elements / best.seconds();
  state.counters["best_ms"] = best.seconds() * 1e3;
}

/// d_inner, d_state, seqlen, reverse; with or without softplus, D u and the SiLU gate.
void run(benchmark::State& state, bool fused) {
  Inputs in = make_inputs(static_cast<std::size_t>(state.range(2)),
                          static_cast<std::size_t>(state.range(0)),
                          static_cast<std::size_t>(state.range(1)), fused);
  const kernels::ScanWeights weights(in.A.data(), fused ? in.D.data() : nullptr,
                                     fused ? in.delta_bias.data() : nullptr, in.d_inner,
                                     in.d_state);
  std::vector<float> scan_state(weights.state_size());
  const kernels::PackedScanArgs args = {.weights = &weights,
                                        .seqlen = in.seqlen,
                                        .channel_begin = 0,
                                        .channel_end = in.d_inner,
                                        .u = in.u.data(),
                                        .u_stride = in.stride,
                                        .delta = in.delta.data(),
                                        .delta_stride = in.stride,
                                        .B = in.BC.data(),
                                        .B_stride = 2 * in.d_state,
                                        .C = in.BC.data() + in.d_state,
                                        .C_stride = 2 * in.d_state,
                                        .z = fused ? in.z.data() : nullptr,
                                        .z_stride = in.stride,
                                        .delta_softplus = fused,
                                        .reverse = state.range(3) != 0,
                                        .state = scan_state.data(),
                                        .out = in.out.data(),
                                        .out_stride = in.stride};
  BestRun best;
  best.measure(state, [&] { kernels::selective_scan(args); });
  report(state, best, in);
}

/// d_inner, dt_rank, seqlen: delta from dt_r, in the strip or by `linear` before; both with
/// everything fused.
void run_from_dt_r(benchmark::State& state, bool in_strip) {
  const auto dt_rank = static_cast<std::size_t>(state.range(1));
  Inputs in = make_inputs(static_cast<std::size_t>(state.range(2)),
                          static_cast<std::size_t>(state.range(0)), 16, true);
  const std::size_t width = dt_rank + 2 * in.d_state;
  const auto x_dbl = random_values(in.seqlen * width);
  const auto dt_proj = random_values(in.d_inner * dt_rank, -0.2F, 0.2F);
  const kernels::ScanWeights weights(in.A.data(), in.D.data(), in.delta_bias.data(), in.d_inner,
                                     in.d_state, dt_proj.data(), dt_rank);
  const kernels::PackedLinear packed({dt_proj.data(), in.d_inner, dt_rank});
  std::vector<float> scan_state(weights.state_size());
  kernels::PackedScanArgs args = {.weights = &weights,
                                  .seqlen = in.seqlen,
                                  .channel_begin = 0,
                                  .channel_end = in.d_inner,
                                  .u = in.u.data(),
                                  .u_stride = in.stride,
                                  .delta = in.delta.data(),
                                  .delta_stride = in.stride};
  if (in_strip) {
    args.dt_r = x_dbl.data();
    args.dt_r_stride = width;
  }
  args.B = x_dbl.data() + dt_rank;
  args.C = args.B + in.d_state;
  args.B_stride = args.C_stride = width;
  args.z = in.z.data();
  args.z_stride = in.stride;
  args.state = scan_state.data();
  args.out = in.out.data();
  args.out_stride = in.stride;
  BestRun best;
  best.measure(state, [&] {
    if (!in_strip) {
      kernels::linear({x_dbl.data(), in.seqlen, dt_rank, width}, packed,
                      {in.delta.data(), in.seqlen, in.d_inner, in.stride});
    }
    kernels::selective_scan(args);
  });
  report(state, best, in);
}

void selective_scan_dt_in_strip(benchmark::State& state) {
  run_from_dt_r(state, true);
}
void selective_scan_dt_before(benchmark::State& state) {
  run_from_dt_r(state, false);
}

void selective_scan_bare(benchmark::State& state) {
  run(state, false);
}
void selective_scan_fused(benchmark::State& state) {
  run(state, true);
}

void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"d_inner", "d_state", "seqlen", "reverse"})
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
  for (const int d_inner : {256, 512, 768, 1536, 2048}) {
    for (const int seqlen : {128, 1024, 2048, 16384})
      b->Args({d_inner, 16, seqlen, 0});
    b->Args({d_inner, 16, 2048, 1});
  }
  for (const int d_state : {4, 8, 32, 64, 128})
    b->Args({512, d_state, 2048, 0});
}

void dt_shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"d_inner", "dt_rank", "seqlen"})->UseManualTime()->Unit(benchmark::kMillisecond);
  for (const int d_inner : {256, 512, 768, 1536})
    b->Args({d_inner, d_inner / 32, 128});
}

BENCHMARK(selective_scan_dt_in_strip)->Apply(dt_shapes);
BENCHMARK(selective_scan_dt_before)->Apply(dt_shapes);
BENCHMARK(selective_scan_bare)->Apply(shapes);
BENCHMARK(selective_scan_fused)->Apply(shapes);

}  // namespace
}  // namespace genomamba::bench
