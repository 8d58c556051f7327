// SPDX-License-Identifier: MIT
// Elementwise functions through libm, in double.
#include <cmath>

#include "ref/math_ref.hpp"
#include "ref/table_ref.hpp"

namespace genomamba::kernels::ref {

void silu(const float* x, float* y, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i)
    y[i] = static_cast<float>(silu(static_cast<double>(x[i])));
}

void softplus(const float* x, float* y, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i)
    y[i] = static_cast<float>(softplus(static_cast<double>(x[i])));
}

void exp(const float* x, float* y, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i)
    y[i] = static_cast<float>(std::exp(static_cast<double>(x[i])));
}

void exp2(const float* x, float* y, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i)
    y[i] = static_cast<float>(std::exp2(static_cast<double>(x[i])));
}

}  // namespace genomamba::kernels::ref
