// SPDX-License-Identifier: MIT
#include "bench/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "genomamba/kernels/machine_peak.hpp"

namespace genomamba::apps::bench {
namespace {

/// The median, the upper one of two.
double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

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
  const auto peak = [&executor] {
    return executor.concurrency() == 1 ? kernels::measure_fma_gflops(kPeakMilliseconds)
                                       : kernels::measure_fma_gflops(executor, kPeakMilliseconds);
  };
  double before = peak();
  double spent = seconds_of(run);
  double after = peak();
  // Of a long run the cold beginning does not matter.
  if (spent > effort.seconds) return add(spent, before, after);
  spent = 0.0;
  for (std::size_t i = 0; i < effort.least_runs || (i < effort.most_runs && spent < effort.seconds);
       ++i) {
    before = after;
    const double seconds = seconds_of(run);
    after = peak();
    add(seconds, before, after);
    spent += seconds;
  }
}

void Timing::add(double seconds, double peak_before, double peak_after) {
  runs_.push_back({seconds, (peak_before + peak_after) / 2.0});
  best_peak_ = std::max({best_peak_, peak_before, peak_after});
}

void Timing::add(const Timing& other) {
  runs_.insert(runs_.end(), other.runs_.begin(), other.runs_.end());
  best_peak_ = std::max(best_peak_, other.best_peak_);
}

Run Timing::best() const {
  double seconds = runs_.front().seconds;
  for (const Run& run : runs_)
    seconds = std::min(seconds, run.seconds);
  return {seconds, best_peak_};
}

Run Timing::median() const {
  std::vector<double> seconds;
  std::vector<double> products;
  for (const Run& run : runs_) {
    seconds.push_back(run.seconds);
    products.push_back(run.seconds * run.peak_gflops);
  }
  const double middle = middle_of(seconds);
  return {middle, middle_of(products) / middle};
}

}  // namespace genomamba::apps::bench
