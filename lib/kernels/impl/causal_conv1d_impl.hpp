// SPDX-License-Identifier: MIT
// Depthwise causal convolution with SiLU: time outside, vectors over channels inside, taps summed
// oldest first.
#pragma once

#include "impl/math_impl.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels::impl {

/// Input row of time `row` of this call; before it, of the state, or null for zeros.
template <class Arch>
inline const float* conv_input(const ConvCall& call, std::ptrdiff_t row) {
  if (row >= 0) return call.x + row * call.x_stride;
  if (call.state == nullptr) return nullptr;
  return call.state + (row + static_cast<std::ptrdiff_t>(call.d_conv) - 1) *
                          static_cast<std::ptrdiff_t>(call.state_stride);
}

/// Output of step t, channels [c, c + kLanes), by `at`, which loads a vector (the whole or a padded
/// tail).
template <class Arch, class Load>
inline Vec<Arch> conv_any(const ConvCall& call, std::ptrdiff_t t, std::size_t c, Load at) {
  const auto reach = static_cast<std::ptrdiff_t>(call.d_conv) - 1;
  Vec<Arch> sum = at(call.bias + c);
  for (std::ptrdiff_t k = 0; k <= reach; ++k) {
    const float* row = conv_input<Arch>(call, t - reach + k);
    const Vec<Arch> x = row != nullptr ? at(row + c) : splat<Arch>(0.0F);
    sum = xsimd::fma(at(call.taps + static_cast<std::size_t>(k) * call.taps_stride + c), x, sum);
  }
  return silu<Arch>(sum);
}

/// Step t of the first n_whole channels for d_conv 4, all four rows present: the same sums,
/// pointers in registers.
template <class Arch>
inline void conv_four(const ConvCall& call, std::ptrdiff_t t, std::size_t n_whole) {
  const float* const x0 = conv_input<Arch>(call, t - 3);
  const float* const x1 = conv_input<Arch>(call, t - 2);
  const float* const x2 = conv_input<Arch>(call, t - 1);
  const float* const x3 = conv_input<Arch>(call, t);
  const float* const w0 = call.taps;
  const float* const w1 = w0 + call.taps_stride;
  const float* const w2 = w1 + call.taps_stride;
  const float* const w3 = w2 + call.taps_stride;
  const float* const bias = call.bias;
  float* const out = call.out + t * call.out_stride;
  for (std::size_t c = 0; c < n_whole; c += kLanes<Arch>) {
    Vec<Arch> sum = xsimd::fma(load<Arch>(w0 + c), load<Arch>(x0 + c), load<Arch>(bias + c));
    sum = xsimd::fma(load<Arch>(w1 + c), load<Arch>(x1 + c), sum);
    sum = xsimd::fma(load<Arch>(w2 + c), load<Arch>(x2 + c), sum);
    sum = xsimd::fma(load<Arch>(w3 + c), load<Arch>(x3 + c), sum);
    store<Arch>(out + c, silu<Arch>(sum));
  }
}

template <class Arch>
void causal_conv1d_silu_kernel(const ConvCall& call) noexcept {
  const std::size_t n_whole = call.channels / kLanes<Arch> * kLanes<Arch>;
  const std::size_t n_tail = call.channels - n_whole;
  for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(call.seqlen); ++t) {
    float* out = call.out + t * call.out_stride;
    if (call.d_conv == 4 && (t >= 3 || call.state != nullptr)) {
      conv_four<Arch>(call, t, n_whole);
    } else {
      const auto at = [](const float* p) { return load<Arch>(p); };
      for (std::size_t c = 0; c < n_whole; c += kLanes<Arch>)
        store<Arch>(out + c, conv_any<Arch>(call, t, c, at));
    }
    if (n_tail > 0) {
      const auto at = [n_tail](const float* p) { return load_first<Arch>(p, n_tail); };
      store_first<Arch>(out + n_whole, conv_any<Arch>(call, t, n_whole, at), n_tail);
    }
  }
}

}  // namespace genomamba::kernels::impl
