// SPDX-License-Identifier: MIT
// Elementwise functions of the blocks.
#pragma once

#include <cstddef>

namespace genomamba::kernels {

/// y[i] = x[i] / (1 + exp(-x[i])); x and y may be the same. Relative error below 2e-6 for x >= -20,
/// below 8e-6 to -80.
void silu(const float* x, float* y, std::size_t n);

/// y[i] = x[i] if x[i] > 20, else log(1 + exp(x[i])); x and y may be the same. Relative error as
/// that of silu.
void softplus(const float* x, float* y, std::size_t n);

/// y[i] = exp(x[i]) with relative error below 2e-7 in float range, 0 below it, +inf above it; NaN
/// stays NaN.
void exp(const float* x, float* y, std::size_t n);

}  // namespace genomamba::kernels
