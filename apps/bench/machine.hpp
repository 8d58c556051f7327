// SPDX-License-Identifier: MIT
// What the machine can do at most.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace genomamba::apps::bench {

struct Machine {
  std::map<std::size_t, double> fma_gflops;  ///< threads -> multiply-add peak of all together
  double L2_gbps = 0.0;                      ///< one thread reading 256 KiB again and again
  double L3_gbps = 0.0;                      ///< 4 MiB
  double memory_gbps = 0.0;                  ///< 256 MiB

  /// Bytes a second of one thread whose working set has that size.
  double bytes_per_second(double working_set_bytes) const;
};

/// 1, 2, 4 ... and `most` itself.
std::vector<std::size_t> thread_counts(std::size_t most);

/// Takes about a second, a tenth when quick.
Machine measure_machine(const std::vector<std::size_t>& threads, bool quick);

}  // namespace genomamba::apps::bench
