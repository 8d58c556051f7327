// SPDX-License-Identifier: MIT
// What this machine can do at most, measured: the yardstick of every figure of `genomamba bench`.
#pragma once

#include <cstddef>

#include "genomamba/core/executor.hpp"

namespace genomamba::kernels {

/// Floating-point operations a second of the calling thread, in 10^9: twelve or more independent
/// chains of multiply-adds with the active ISA's vectors (a fused one counts as two operations, as
/// does a multiply and an add). One call takes about `milliseconds`; other jobs disturb it, so
/// callers take the best of several, between their own measurements.
double measure_fma_gflops(double milliseconds = 1.0);

/// The same of all cores of `executor` together; takes 3 milliseconds more, to wake them.
double measure_fma_gflops(Executor& executor, double milliseconds = 1.0);

/// Bytes a second, in 10^9, that the calling thread reads from a working set of that size, again
/// and again: 256 KiB for L2, 4 MiB for L3, 256 MiB for memory. Allocates the set; the first, cold
/// pass is not counted.
double measure_read_gbps(std::size_t working_set_bytes, double milliseconds = 20.0);

/// Operations of one multiply-add instruction of the active ISA (16 for AVX2). The clock rate while
/// multiply-adds run is measure_fma_gflops() * 1e9 / (fma_flops() * the number of them a core
/// starts in a cycle, 2 on most).
std::size_t fma_flops() noexcept;

}  // namespace genomamba::kernels
