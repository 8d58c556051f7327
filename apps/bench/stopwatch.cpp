// SPDX-License-Identifier: MIT
#include "bench/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "genomamba/kernels/machine_peak.hpp"

namespace genomamba::apps::bench {

double seconds_of(const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  run();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double cycles_per_second(double peak_gflops) {
  return peak_gflops * 1e9 / (2.0 * static_cast<double>(kernels::fma_flops()));
}

Timing measure(const Effort& effort, Executor& executor, const std::function<void()>& run) {
  constexpr double kPeakMilliseconds = 0.2;
  run();
  std::vector<double> seconds;
  double peak = 0.0;
  double spent = 0.0;
  while (seconds.size() < effort.least_runs ||
         (seconds.size() < effort.most_runs && spent < effort.seconds)) {
    peak = std::max(peak, executor.concurrency() == 1
                              ? kernels::measure_fma_gflops(kPeakMilliseconds)
                              : kernels::measure_fma_gflops(executor, kPeakMilliseconds));
    seconds.push_back(seconds_of(run));
    spent += seconds.back();
  }
  return {*std::min_element(seconds.begin(), seconds.end()), median(seconds), peak};
}

}  // namespace genomamba::apps::bench
