// SPDX-License-Identifier: MIT
// RMSNorm without a weight, for the few columns of dt, B and C (FalconMamba's rms_forward).
#pragma once

#include <cmath>
#include <cstddef>

#include "genomamba/core/span2d.hpp"

namespace genomamba::model {

/// x[i] /= sqrt(mean(x[i]^2) + eps), in place; x [rows, cols].
inline void weightless_rms(Span2d<float> x, float eps) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    float* row = x.row_data(i);
    double sum = 0;
    for (std::size_t j = 0; j < x.cols(); ++j)
      sum += static_cast<double>(row[j]) * row[j];
    const auto scale =
        static_cast<float>(1.0 / std::sqrt(sum / static_cast<double>(x.cols()) + eps));
    for (std::size_t j = 0; j < x.cols(); ++j)
      row[j] *= scale;
  }
}

}  // namespace genomamba::model
