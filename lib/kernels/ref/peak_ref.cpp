// SPDX-License-Identifier: MIT
// The peak loops in scalar form: what the reference kernels are measured against. Four chains at a
// time, as the table says four lanes; the compiler may or may not fuse the multiply and the add.
#include "ref/table_ref.hpp"

namespace genomamba::kernels::ref {

float fma_chains(std::size_t n_steps) noexcept {
  float chain[4 * kPeakChains];
  for (std::size_t i = 0; i < 4 * kPeakChains; ++i)
    chain[i] = static_cast<float>(i);
  for (std::size_t step = 0; step < n_steps; ++step) {
    for (float& value : chain)
      value = value * 0.5F + 1.0F;
  }
  float sum = 0.0F;
  for (const float value : chain)
    sum += value;
  return sum;
}

float sum_all(const float* x, std::size_t n) noexcept {
  float sum[4] = {};
  for (std::size_t i = 0; i < n; i += 4) {
    for (std::size_t j = 0; j < 4; ++j)
      sum[j] += x[i + j];
  }
  return sum[0] + sum[1] + sum[2] + sum[3];
}

}  // namespace genomamba::kernels::ref
