// SPDX-License-Identifier: MIT
// Repeated runs of one piece of work, each beside a measurement of the machine's peak.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "genomamba/core/executor.hpp"

namespace genomamba::apps::bench {

/// How long to measure one thing.
struct Effort {
  std::size_t least_runs;
  std::size_t most_runs;
  double seconds;  ///< no run begins later than this
};

/// Runs of one thing, gathered in as many sittings as the caller likes.
class Timing {
 public:
  /// One run to warm up (which counts if it takes effort.seconds), then runs as `effort` has it,
  /// each after a look at the peak of all cores of `executor`.
  void measure(const Effort& effort, Executor& executor, const std::function<void()>& run);
  /// One run that somebody else has measured.
  void add(double seconds, double peak_gflops);
  void add(const Timing& other);

  double best_seconds() const;
  double median_seconds() const;
  /// The highest multiply-add rate met between the runs.
  double peak_gflops() const noexcept { return peak_gflops_; }

 private:
  std::vector<double> seconds_;
  double peak_gflops_ = 0.0;
};

/// Seconds that `run` takes.
double seconds_of(const std::function<void()>& run);

/// Multiply-adds run at two a cycle and core: cycles a second of all cores together at that peak.
double cycles_per_second(double peak_gflops);

}  // namespace genomamba::apps::bench
