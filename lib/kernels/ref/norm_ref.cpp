// SPDX-License-Identifier: MIT
// RMSNorm and LayerNorm by their definitions.
#include <cmath>

#include "ref/math_ref.hpp"
#include "ref/table_ref.hpp"

namespace genomamba::kernels::ref {
namespace {

double reciprocal_rms(const float* x, std::size_t d_model, float eps) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d_model; ++i)
    sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return 1.0 / std::sqrt(sum / static_cast<double>(d_model) + static_cast<double>(eps));
}

}  // namespace

void rms_norm(const NormCall& call) noexcept {
  for (std::size_t m = 0; m < call.rows; ++m) {
    const float* x = call.x + m * call.x_stride;
    const double scale = reciprocal_rms(x, call.d_model, call.eps);
    for (std::size_t i = 0; i < call.d_model; ++i) {
      call.y[m * call.y_stride + i] = static_cast<float>(static_cast<double>(x[i]) * scale *
                                                         static_cast<double>(call.weight[i]));
    }
  }
}

void rms_scale(const NormCall& call, float* scale) noexcept {
  for (std::size_t m = 0; m < call.rows; ++m) {
    scale[m] =
        static_cast<float>(reciprocal_rms(call.x + m * call.x_stride, call.d_model, call.eps));
  }
}

void layer_norm(const NormCall& call) noexcept {
  const double n = static_cast<double>(call.d_model);
  for (std::size_t m = 0; m < call.rows; ++m) {
    const float* x = call.x + m * call.x_stride;
    double mean = 0.0;
    for (std::size_t i = 0; i < call.d_model; ++i)
      mean += static_cast<double>(x[i]) / n;
    double variance = 0.0;
    for (std::size_t i = 0; i < call.d_model; ++i) {
      const double centred = static_cast<double>(x[i]) - mean;
      variance += centred * centred / n;
    }
    const double scale = 1.0 / std::sqrt(variance + static_cast<double>(call.eps));
    for (std::size_t i = 0; i < call.d_model; ++i) {
      double y = (static_cast<double>(x[i]) - mean) * scale * static_cast<double>(call.weight[i]);
      if (call.bias != nullptr) y += static_cast<double>(call.bias[i]);
      call.y[m * call.y_stride + i] = static_cast<float>(y);
    }
  }
}

void rms_norm_gated(const GatedNormCall& call) noexcept {
  const NormCall& norm = call.norm;
  const std::size_t width = norm.d_model / call.n_groups;
  for (std::size_t m = 0; m < norm.rows; ++m) {
    const float* x = norm.x + m * norm.x_stride;
    const float* z = call.z + m * call.z_stride;
    for (std::size_t first = 0; first < norm.d_model; first += width) {
      double squares = 0.0;
      for (std::size_t i = first; i < first + width; ++i) {
        const double gate = call.norm_before_gate ? 1.0 : silu(static_cast<double>(z[i]));
        squares += static_cast<double>(x[i]) * gate * static_cast<double>(x[i]) * gate;
      }
      const double scale =
          1.0 / std::sqrt(squares / static_cast<double>(width) + static_cast<double>(norm.eps));
      for (std::size_t i = first; i < first + width; ++i) {
        norm.y[m * norm.y_stride + i] =
            static_cast<float>(static_cast<double>(x[i]) * silu(static_cast<double>(z[i])) * scale *
                               static_cast<double>(norm.weight[i]));
      }
    }
  }
}

}  // namespace genomamba::kernels::ref
