// SPDX-License-Identifier: MIT
// Clocks around the peak kernels of the active table.
#include "genomamba/kernels/machine_peak.hpp"

#include <algorithm>
#include <chrono>

#include "genomamba/core/aligned_buffer.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels {
namespace {

/// Work units a second of `run`, repeated until `milliseconds` have passed.
template <typename Run>
double rate(double units_per_run, double milliseconds, Run run) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  double seconds = 0.0;
  double units = 0.0;
  do {
    run();
    units += units_per_run;
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  } while (seconds * 1e3 < milliseconds);
  return units / seconds;
}

double chain_flops(const KernelTable& table, std::size_t n_steps) {
  return static_cast<double>(n_steps) * kPeakChains * 2.0 * static_cast<double>(table.lanes);
}

}  // namespace

double measure_fma_gflops(double milliseconds) {
  constexpr std::size_t kSteps = 1000;
  const KernelTable& table = active_table();
  volatile float sink = 0.0F;
  return rate(chain_flops(table, kSteps), milliseconds, [&] { sink = table.fma_chains(kSteps); }) *
         1e-9;
}

double measure_fma_gflops(Executor& executor, double milliseconds) {
  // Pieces of about 30 us: a core that is late or disturbed takes fewer of them.
  constexpr std::size_t kSteps = 8000;
  const KernelTable& table = active_table();
  const std::size_t n_pieces = 16 * executor.concurrency();
  const auto run = [&] {
    executor.parallel_for(n_pieces, [&table](std::size_t) {
      volatile float sink = table.fma_chains(kSteps);
      static_cast<void>(sink);
    });
  };
  // Sleeping cores take milliseconds to come.
  constexpr double kWakeMilliseconds = 3.0;
  rate(0.0, kWakeMilliseconds, run);
  return rate(static_cast<double>(n_pieces) * chain_flops(table, kSteps), milliseconds, run) * 1e-9;
}

double measure_read_gbps(std::size_t working_set_bytes, double milliseconds) {
  const std::size_t n =
      std::max<std::size_t>(working_set_bytes / sizeof(float), 1024) / 1024 * 1024;
  const AlignedBuffer<float> data(n);
  const KernelTable& table = active_table();
  volatile float sink = table.sum_all(data.data(), n);
  return rate(static_cast<double>(n * sizeof(float)), milliseconds,
              [&] { sink = table.sum_all(data.data(), n); }) *
         1e-9;
}

std::size_t fma_flops() noexcept {
  return 2 * active_table().lanes;
}

}  // namespace genomamba::kernels
