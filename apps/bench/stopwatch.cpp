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

double cycles_per_second(double peak_gflops) {
  return peak_gflops * 1e9 / (2.0 * static_cast<double>(kernels::fma_flops()));
}

void Timing::measure(const Effort& effort, Executor& executor, const std::function<void()>& run) {
  constexpr double kPeakMilliseconds = 0.2;
  const auto run_once = [&] {
    const double peak = executor.concurrency() == 1
                            ? kernels::measure_fma_gflops(kPeakMilliseconds)
                            : kernels::measure_fma_gflops(executor, kPeakMilliseconds);
    const double seconds = seconds_of(run);
    add(seconds, peak);
    return seconds;
  };
  // Of a long run the cold beginning does not matter.
  double spent = run_once();
  if (spent > effort.seconds) return;
  seconds_.pop_back();
  spent = 0.0;
  for (std::size_t i = 0; i < effort.least_runs || (i < effort.most_runs && spent < effort.seconds);
       ++i) {
    spent += run_once();
  }
}

void Timing::add(double seconds, double peak_gflops) {
  seconds_.push_back(seconds);
  peak_gflops_ = std::max(peak_gflops_, peak_gflops);
}

void Timing::add(const Timing& other) {
  for (const double seconds : other.seconds_)
    add(seconds, other.peak_gflops_);
}

double Timing::best_seconds() const {
  return *std::min_element(seconds_.begin(), seconds_.end());
}

double Timing::median_seconds() const {
  std::vector<double> sorted = seconds_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

}  // namespace genomamba::apps::bench
