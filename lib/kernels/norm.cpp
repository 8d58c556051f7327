// SPDX-License-Identifier: MIT
// Normalisations, by the active table.
#include "genomamba/kernels/norm.hpp"

#include <cassert>

#include "kernel_table.hpp"

namespace genomamba::kernels {
namespace {

NormCall make_call(Span2d<const float> x, const float* weight, const float* bias, float eps,
                   Span2d<float> y) {
  return {x.data(), x.stride(), x.rows(), x.cols(), weight, bias, eps, y.data(), y.stride()};
}

}  // namespace

void rms_norm(Span2d<const float> x, const float* weight, float eps, Span2d<float> y) {
  assert(y.rows() == x.rows() && y.cols() == x.cols());
  active_table().rms_norm(make_call(x, weight, nullptr, eps, y));
}

void rms_scale(Span2d<const float> x, float eps, float* scale) {
  active_table().rms_scale(make_call(x, nullptr, nullptr, eps, {}), scale);
}

void layer_norm(Span2d<const float> x, const float* weight, const float* bias, float eps,
                Span2d<float> y) {
  assert(y.rows() == x.rows() && y.cols() == x.cols());
  active_table().layer_norm(make_call(x, weight, bias, eps, y));
}

void rms_norm_gated(Span2d<const float> x, Span2d<const float> z, const float* weight,
                    Span2d<float> y, const GatedNormOptions& options) {
  assert(y.rows() == x.rows() && y.cols() == x.cols() && z.rows() == x.rows() &&
         z.cols() == x.cols());
  assert(options.n_groups > 0 && x.cols() % options.n_groups == 0);
  active_table().rms_norm_gated({make_call(x, weight, nullptr, options.eps, y), z.data(),
                                 z.stride(), options.n_groups, options.norm_before_gate});
}

}  // namespace genomamba::kernels
