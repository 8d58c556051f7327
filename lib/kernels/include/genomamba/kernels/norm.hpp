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

}  // namespace genomamba::kernels
