// SPDX-License-Identifier: MIT
#include "bench/machine.hpp"

#include <algorithm>

#include "genomamba/kernels/machine_peak.hpp"
#include "genomamba/pipeline/core_executor.hpp"

namespace genomamba::apps::bench {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kL2Set = kMiB / 4;
constexpr std::size_t kL3Set = 4 * kMiB;
constexpr std::size_t kMemorySet = 256 * kMiB;

}  // namespace

double Machine::bytes_per_second(double working_set_bytes) const {
  if (working_set_bytes <= 2.0 * kL2Set) return L2_gbps * 1e9;
  return (working_set_bytes <= 4.0 * kL3Set ? L3_gbps : memory_gbps) * 1e9;
}

std::vector<std::size_t> thread_counts(std::size_t most) {
  std::vector<std::size_t> counts;
  for (std::size_t n = 1; n < most; n *= 2)
    counts.push_back(n);
  counts.push_back(most);
  return counts;
}

Machine measure_machine(const std::vector<std::size_t>& threads, bool quick) {
  Machine machine;
  const int n_rounds = quick ? 3 : 11;
  for (const std::size_t n : threads) {
    pipeline::CoreExecutor executor(n);
    double& best = machine.fma_gflops[n];
    for (int i = 0; i < n_rounds; ++i)
      best = std::max(best, kernels::measure_fma_gflops(executor, quick ? 1.0 : 5.0));
  }
  for (int i = 0; i < n_rounds; ++i) {
    const double milliseconds = quick ? 1.0 : 5.0;
    machine.L2_gbps = std::max(machine.L2_gbps, kernels::measure_read_gbps(kL2Set, milliseconds));
    machine.L3_gbps = std::max(machine.L3_gbps, kernels::measure_read_gbps(kL3Set, milliseconds));
  }
  for (int i = 0; i < (quick ? 1 : 3); ++i) {
    machine.memory_gbps =
        std::max(machine.memory_gbps, kernels::measure_read_gbps(kMemorySet, 1.0));
  }
  return machine;
}

}  // namespace genomamba::apps::bench
