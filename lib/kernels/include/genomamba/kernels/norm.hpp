// SPDX-License-Identifier: MIT
// RMSNorm and LayerNorm over the rows of a matrix.
#pragma once

#include <cstddef>

#include "genomamba/core/span2d.hpp"

namespace genomamba::kernels {

/// y[i] = x[i] / sqrt(mean(x[i]^2) + eps) * weight. x, y [rows, d_model] (may be the same), weight
/// [d_model].
void rms_norm(Span2d<const float> x, const float* weight, float eps, Span2d<float> y);

/// scale[i] = 1 / sqrt(mean(x[i]^2) + eps): the row scale of an RMSNorm folded into a projection.
void rms_scale(Span2d<const float> x, float eps, float* scale);

/// y[i] = (x[i] - mean) / sqrt(var + eps) * weight + bias, biased variance; bias [d_model] or null.
void layer_norm(Span2d<const float> x, const float* weight, const float* bias, float eps,
                Span2d<float> y);

/// Where the gate of rms_norm_gated goes and how wide its groups are (mamba_ssm's RMSNormGated).
struct GatedNormOptions {
  float eps = 1e-5F;
  std::size_t n_groups = 1;       ///< each group of d_model / n_groups columns has its own mean
  bool norm_before_gate = false;  ///< false: norm(x SiLU(z)) weight; true: norm(x) weight SiLU(z)
};

/// y = RMSNorm of x gated by SiLU(z), by group. x, z, y [rows, d_model] (y may be x or z), weight
/// [d_model].
void rms_norm_gated(Span2d<const float> x, Span2d<const float> z, const float* weight,
                    Span2d<float> y, const GatedNormOptions& options);

}  // namespace genomamba::kernels
