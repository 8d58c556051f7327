// SPDX-License-Identifier: MIT
// What the kernel benchmarks share: inputs, and a clock that is read from the FMA peak of the same
// seconds.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <random>
#include <vector>

#include "genomamba/kernels/machine_peak.hpp"

namespace genomamba::bench {

inline std::vector<float> random_values(std::size_t n, float low = -1.0F, float high = 1.0F) {
  static std::minstd_rand engine(1);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> values(n);
  for (float& value : values)
    value = uniform(engine);
  return values;
}

/// Runs `run` under `state`, one FMA peak measurement before each, and keeps the fastest run and
/// the highest peak: other jobs on the machine only ever slow either down.
class BestRun {
 public:
  template <typename Run>
  void measure(benchmark::State& state, Run run) {
    using Clock = std::chrono::steady_clock;
    run();
    for (auto _ : state) {
      peak_gflops_ = std::max(peak_gflops_, kernels::measure_fma_gflops(0.05));
      const auto begin = Clock::now();
      run();
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      state.SetIterationTime(seconds);
      seconds_ = std::min(seconds_, seconds);
    }
  }

  double seconds() const { return seconds_; }
  double peak_gflops() const { return peak_gflops_; }
  /// Core cycles of the fastest run, two multiply-adds a cycle.
  double cycles() const {
    return seconds_ * peak_gflops_ * 1e9 / (2.0 * static_cast<double>(kernels::fma_flops()));
  }

 private:
  double seconds_ = 1e300;
  double peak_gflops_ = 0.0;
};

/// Floats between rows: one more cache line than needed, so that rows do not fall on the same lines
/// of L1.
inline std::size_t padded(std::size_t n) {
  return (n + 15) / 16 * 16 + 16;
}

}  // namespace genomamba::bench
