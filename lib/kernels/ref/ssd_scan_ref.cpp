// SPDX-License-Identifier: MIT
// The Mamba-2 recurrence as `Mamba2.step` writes it: one head, one channel, one step at a time.
#include <algorithm>
#include <cmath>

#include "ref/math_ref.hpp"
#include "ref/table_ref.hpp"

namespace genomamba::kernels::ref {
namespace {

double dt_of(const SsdCall& call, std::ptrdiff_t t, std::size_t h) {
  double dt = static_cast<double>(call.dt[t * call.dt_stride + static_cast<std::ptrdiff_t>(h)]);
  if (call.dt_bias != nullptr) dt += static_cast<double>(call.dt_bias[h]);
  if (call.dt_softplus) dt = softplus(dt);
  // Written so that NaN stays NaN.
  if (dt < static_cast<double>(call.dt_min)) dt = static_cast<double>(call.dt_min);
  if (dt > static_cast<double>(call.dt_max)) dt = static_cast<double>(call.dt_max);
  return dt;
}

}  // namespace

void ssd_scan(const SsdCall& call) noexcept {
  for (std::size_t h = call.head_begin; h < call.head_end; ++h) {
    const std::size_t group = h / call.heads_per_group;
    for (std::size_t p = 0; p < call.headdim; ++p) {
      const std::size_t channel = h * call.headdim + p;
      const auto column = static_cast<std::ptrdiff_t>(channel);
      for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(call.seqlen); ++t) {
        const double dt = dt_of(call, t, h);
        const double decay = std::exp(dt * static_cast<double>(call.A[h]));
        const double x = static_cast<double>(call.x[t * call.x_stride + column]);
        const float* B = call.B + t * call.B_stride + group * call.d_state;
        const float* C = call.C + t * call.C_stride + group * call.d_state;
        double y = 0.0;
        for (std::size_t n = 0; n < call.d_state; ++n) {
          float& S = call.state[((h - call.head_begin) * call.d_state + n) * call.headdim + p];
          S = static_cast<float>(decay * static_cast<double>(S) +
                                 dt * x * static_cast<double>(B[n]));
          y += static_cast<double>(S) * static_cast<double>(C[n]);
        }
        if (call.D != nullptr) y += static_cast<double>(call.D[call.D_has_hdim ? channel : h]) * x;
        if (call.z != nullptr) y *= silu(static_cast<double>(call.z[t * call.z_stride + column]));
        float& out = call.out[t * call.out_stride + column];
        out = static_cast<float>(call.accumulate ? static_cast<double>(out) + y : y);
      }
    }
  }
}

}  // namespace genomamba::kernels::ref
