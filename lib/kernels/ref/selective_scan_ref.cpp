// SPDX-License-Identifier: MIT
// The selective scan as equation (2) of Gu and Dao 2023 writes it: one channel at a time, one step
// at a time.
#include <cmath>

#include "ref/math_ref.hpp"
#include "ref/table_ref.hpp"

namespace genomamba::kernels::ref {
namespace {

double delta_of(const ScanCall& call, std::ptrdiff_t t, std::size_t c) {
  double delta = 0.0;
  if (call.dt_r != nullptr) {
    for (std::size_t r = 0; r < call.dt_rank; ++r) {
      delta +=
          static_cast<double>(call.dt_r[t * call.dt_r_stride + static_cast<std::ptrdiff_t>(r)]) *
          static_cast<double>(call.dt_proj[c * call.dt_rank + r]);
    }
  } else {
    delta = static_cast<double>(call.delta[t * call.delta_stride + static_cast<std::ptrdiff_t>(c)]);
  }
  if (call.delta_bias != nullptr) delta += static_cast<double>(call.delta_bias[c]);
  return call.delta_softplus ? softplus(delta) : delta;
}

}  // namespace

void selective_scan(const ScanCall& call) noexcept {
  for (std::size_t c = 0; c < call.channels; ++c) {
    const auto column = static_cast<std::ptrdiff_t>(c);
    const float* A = call.A + c * call.d_state;
    // The state is rounded to float after every step, as it is when a caller carries it: a sequence
    // cut into calls then gives the same bits as the whole.
    float* h = call.state + c * call.d_state;
    for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(call.seqlen); ++t) {
      const double u = static_cast<double>(call.u[t * call.u_stride + column]);
      const double delta = delta_of(call, t, c);
      const float* B = call.B + t * call.B_stride;
      const float* C = call.C + t * call.C_stride;
      double y = 0.0;
      for (std::size_t n = 0; n < call.d_state; ++n) {
        const double deltaA = std::exp(delta * static_cast<double>(A[n]));
        const double deltaB_u = delta * static_cast<double>(B[n]) * u;
        h[n] = static_cast<float>(deltaA * static_cast<double>(h[n]) + deltaB_u);
        y += static_cast<double>(h[n]) * static_cast<double>(C[n]);
      }
      if (call.D != nullptr) y += static_cast<double>(call.D[c]) * u;
      if (call.z != nullptr) y *= silu(static_cast<double>(call.z[t * call.z_stride + column]));
      float& out = call.out[t * call.out_stride + column];
      out = call.accumulate ? static_cast<float>(static_cast<double>(out) + y)
                            : static_cast<float>(y);
    }
  }
}

}  // namespace genomamba::kernels::ref
