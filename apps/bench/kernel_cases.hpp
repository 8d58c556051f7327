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
  std::size_t threads;
  Timing timing;
  double elements;       ///< of one run: outputs; of a scan (channel, state) pairs; 0 for linear
  double flops;          ///< of one run; linear only, else 0
  double bound_seconds;  ///< the least time of one run (bounds.hpp)
};

/// "linear", "selective_scan", ...: the words of --only.
const std::vector<std::string>& kernel_names();

/// Called after each row.
using TakeRow = std::function<void(const KernelRow&)>;

/// Measures the kernels named by `only` (empty: all) with one thread; the scan at d_state 16 with
/// all cores of `executor` as well.
void measure_kernels(const std::vector<std::string>& only, bool quick, const Machine& machine,
                     Executor& executor, const TakeRow& take);

}  // namespace genomamba::apps::bench
