// SPDX-License-Identifier: MIT
// Depthwise causal convolution with SiLU: vectors over channels, taps summed oldest first.
#pragma once

#include "impl/math_impl.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels::impl {

/// Up to kLanes channels starting at channel c, all of time.
template <class Arch, class Load, class Store>
inline void conv_channels(const ConvCall& call, std::size_t c, Load load_at, Store store_at) {
  const auto reach = static_cast<std::ptrdiff_t>(call.d_conv) - 1;
  const Vec<Arch> bias = load_at(call.bias + c);
  for (std::ptrdiff_t t = 0; t < static_cast<std::ptrdiff_t>(call.seqlen); ++t) {
    Vec<Arch> sum = bias;
    for (std::ptrdiff_t k = 0; k <= reach; ++k) {
      const std::ptrdiff_t row = t - reach + k;
      Vec<Arch> x = splat<Arch>(0.0F);
      if (row >= 0) {
        x = load_at(call.x + row * call.x_stride + c);
      } else if (call.state != nullptr) {
        x = load_at(call.state + static_cast<std::size_t>(row + reach) * call.state_stride + c);
      }
      sum = xsimd::fma(load_at(call.taps + static_cast<std::size_t>(k) * call.taps_stride + c), x,
                       sum);
    }
    store_at(call.out + t * call.out_stride + c, silu<Arch>(sum));
  }
}

template <class Arch>
void causal_conv1d_silu_kernel(const ConvCall& call) noexcept {
  std::size_t c = 0;
  for (; c + kLanes<Arch> <= call.channels; c += kLanes<Arch>) {
    conv_channels<Arch>(
        call, c, [](const float* p) { return load<Arch>(p); },
        [](float* p, const Vec<Arch>& v) { store<Arch>(p, v); });
  }
  if (const std::size_t n = call.channels - c; n > 0) {
    conv_channels<Arch>(
        call, c, [n](const float* p) { return load_first<Arch>(p, n); },
        [n](float* p, const Vec<Arch>& v) { store_first<Arch>(p, v, n); });
  }
}

}  // namespace genomamba::kernels::impl
