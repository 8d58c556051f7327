// SPDX-License-Identifier: MIT
// Loops that do nothing but multiply-adds, and nothing but loads.
#pragma once

#include "impl/simd_impl.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels::impl {

/// kPeakChains independent chains: enough to hide the latency of 4 cycles at 2 a cycle.
template <class Arch>
float fma_chains_kernel(std::size_t n_steps) noexcept {
  Vec<Arch> chain[kPeakChains];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kPeakChains; ++i)
    chain[i] = splat<Arch>(static_cast<float>(i));
  const Vec<Arch> factor = splat<Arch>(0.5F);
  const Vec<Arch> term = splat<Arch>(1.0F);
  for (std::size_t step = 0; step < n_steps; ++step) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kPeakChains; ++i)
      chain[i] = xsimd::fma(chain[i], factor, term);
  }
  Vec<Arch> sum = chain[0];
#pragma GCC unroll 16
  for (std::size_t i = 1; i < kPeakChains; ++i)
    sum = sum + chain[i];
  return sum_lanes<Arch>(sum);
}

/// Sum of n floats, n a multiple of 1024.
template <class Arch>
float sum_all_kernel(const float* x, std::size_t n) noexcept {
  constexpr std::size_t kWidth = kLanes<Arch>;
  Vec<Arch> sum[8];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i)
    sum[i] = splat<Arch>(0.0F);
  for (std::size_t k = 0; k < n; k += 8 * kWidth) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i)
      sum[i] = sum[i] + load<Arch>(x + k + i * kWidth);
  }
  return sum_lanes<Arch>(((sum[0] + sum[1]) + (sum[2] + sum[3])) +
                         ((sum[4] + sum[5]) + (sum[6] + sum[7])));
}

}  // namespace genomamba::kernels::impl
