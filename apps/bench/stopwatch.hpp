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

/// One run and what the machine could do at that time.
struct Run {
  double seconds;
  double peak_gflops;  ///< multiply-add rate
};

/// Runs of one thing, gathered in as many sittings as the caller likes.
class Timing {
 public:
  /// One run to warm up (which counts if it takes effort.seconds), then runs as `effort` has it,
  /// between looks at the peak of all cores of `executor`.
  void measure(const Effort& effort, Executor& executor, const std::function<void()>& run);
  /// One run that somebody else has measured, with the peak before and after it.
  void add(double seconds, double peak_before, double peak_after);
  void add(const Timing& other);

  /// The shortest run, and the highest peak met beside any.
  Run best() const;
  /// A run of median length, and the peak that gives the median of seconds x peak: each run is
  /// judged by the peak of its own time, so a slow minute of the machine hardly counts.
  Run median() const;

 private:
  std::vector<Run> runs_;
  double best_peak_ = 0.0;
};

/// Seconds that `run` takes.
double seconds_of(const std::function<void()>& run);

/// Multiply-adds run at two a cycle and core: cycles a second of all cores together at that peak.
double cycles_per_second(double peak_gflops);

}  // namespace genomamba::apps::bench
