// SPDX-License-Identifier: MIT
// Each kernel over the shapes of published models.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bench/machine.hpp"
#include "bench/stopwatch.hpp"
#include "genomamba/core/executor.hpp"

namespace genomamba::apps::bench {

/// One kernel at one shape.
struct KernelRow {
  std::string kernel;
  std::vector<std::pair<std::string, std::size_t>> shape;
  std::size_t threads = 1;
  Timing timing = {};
  double elements = 0.0;  ///< of one run: outputs; of a scan (channel, state) pairs; 0 for linear
  double flops = 0.0;     ///< of one run; linear only, else 0
  double bound_flops =
      0.0;  ///< multiply-adds that take as long as one run's operations (bounds.hpp)
  double bytes_seconds = 0.0;  ///< that one run's bytes take

  /// The least time of one run, as a share of the time that `run` took.
  double share_of_bound(const Run& run) const;
};

/// "linear", "selective_scan", ...: the words of --only.
const std::vector<std::string>& kernel_names();

/// Measures the kernels named by `only` (empty: all) with one thread; the scan at d_state 16 with
/// all cores of `executor` as well. Every shape has its turn before any has its second: a busy
/// minute of the machine does not fall on one row.
std::vector<KernelRow> measure_kernels(const std::vector<std::string>& only, bool quick,
                                       const Machine& machine, Executor& executor);

}  // namespace genomamba::apps::bench
