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

struct Timing {
  double best_seconds = 0.0;
  double median_seconds = 0.0;
  double peak_gflops = 0.0;  ///< the highest multiply-add rate met between the runs
};

/// One run to warm up, then runs as `effort` has it. The peak is that of all cores of `executor`.
Timing measure(const Effort& effort, Executor& executor, const std::function<void()>& run);

/// The middle of `values`, the upper one of two; values may not be empty.
double median(std::vector<double> values);

/// Seconds that `run` takes.
double seconds_of(const std::function<void()>& run);

/// Multiply-adds run at two a cycle and core: cycles a second of all cores together at that peak.
double cycles_per_second(double peak_gflops);

}  // namespace genomamba::apps::bench
