// SPDX-License-Identifier: MIT
// A model's tokens a second, as `genomamba embed` would compute them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
#include "genomamba/pipeline/loaded_model.hpp"

namespace genomamba::apps::bench {

/// One input shape at one number of threads.
struct EndToEndRow {
  std::string shape;  ///< "reads of 150", ...
  std::size_t reads = 0;
  std::size_t threads = 0;
  double tokens = 0.0;  ///< computed in one run, every window counted
  Timing timing;
  double flops = 0.0;  ///< multiply-adds that take as long as one run at its bounds (bounds.hpp)

  /// Time of the projections at peak and the scan at its bound, as a share of the time that `run`
  /// took.
  double share_of_bound(const Run& run) const {
    return flops / (run.peak_gflops * 1e9) / run.seconds;
  }
};

struct EndToEndOptions {
  double seconds;  ///< of one run, about
  std::size_t runs;
  std::vector<std::size_t> threads;
};

/// Rows in the order of shapes, then threads. The runs of all are interleaved, so that a busy
/// minute of the machine does not fall on one row.
std::vector<EndToEndRow> measure_end_to_end(const pipeline::LoadedModel& model,
                                            const EndToEndOptions& options);

}  // namespace genomamba::apps::bench
