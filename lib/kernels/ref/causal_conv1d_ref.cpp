// SPDX-License-Identifier: MIT
// The depthwise causal convolution by its definition: out[t] = SiLU(bias + sum_k taps[k] x[t -
// (d_conv - 1) + k]).
#include "ref/math_ref.hpp"
#include "ref/table_ref.hpp"

namespace genomamba::kernels::ref {
namespace {

/// Input at time t, which may lie before this call (then it is in the state, or zero).
double input_at(const ConvCall& call, std::ptrdiff_t t, std::size_t c) {
  if (t >= 0)
    return static_cast<double>(call.x[t * call.x_stride + static_cast<std::ptrdiff_t>(c)]);
  if (call.state == nullptr) return 0.0;
  const auto row = static_cast<std::size_t>(t + static_cast<std::ptrdiff_t>(call.d_conv) - 1);
  return static_cast<double>(call.state[row * call.state_stride + c]);
}

}  // namespace

void causal_conv1d_silu(const ConvCall& call) noexcept {
  const auto reach = static_cast<std::ptrdiff_t>(call.d_conv) - 1;
  for (std::size_t c = 0; c < call.channels; ++c) {
    for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(call.seqlen); ++t) {
      double sum = static_cast<double>(call.bias[c]);
      for (std::size_t k = 0; k < call.d_conv; ++k) {
        sum += static_cast<double>(call.taps[k * call.taps_stride + c]) *
               input_at(call, t - reach + static_cast<std::ptrdiff_t>(k), c);
      }
      call.out[t * call.out_stride + static_cast<std::ptrdiff_t>(c)] =
          static_cast<float>(silu(sum));
    }
  }
}

}  // namespace genomamba::kernels::ref
