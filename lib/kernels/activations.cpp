// SPDX-License-Identifier: MIT
// Elementwise functions, by the active table.
#include "genomamba/kernels/activations.hpp"

#include "kernel_table.hpp"

namespace genomamba::kernels {

void silu(const float* x, float* y, std::size_t n) {
  active_table().silu(x, y, n);
}

void softplus(const float* x, float* y, std::size_t n) {
  active_table().softplus(x, y, n);
}

void exp(const float* x, float* y, std::size_t n) {
  active_table().exp(x, y, n);
}

}  // namespace genomamba::kernels
