// SPDX-License-Identifier: MIT
// Scalar functions of the reference kernels, in double.
#pragma once

#include <cmath>

namespace genomamba::kernels::ref {

inline double silu(double x) {
  return x / (1.0 + std::exp(-x));
}

/// torch.nn.functional.softplus: linear above its threshold of 20.
inline double softplus(double x) {
  return x > 20.0 ? x : std::log1p(std::exp(x));
}

}  // namespace genomamba::kernels::ref
