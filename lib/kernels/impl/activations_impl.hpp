// SPDX-License-Identifier: MIT
// Elementwise kernels over arrays.
#pragma once

#include "impl/math_impl.hpp"

namespace genomamba::kernels::impl {

/// y[i] = f(x[i]); the tail goes through a padded vector, so a value never depends on its place.
template <class Arch, Vec<Arch> (*f)(const Vec<Arch>&)>
void map_kernel(const float* x, float* y, std::size_t n) noexcept {
  std::size_t i = 0;
  for (; i + kLanes<Arch> <= n; i += kLanes<Arch>)
    store<Arch>(y + i, f(load<Arch>(x + i)));
  if (i < n) store_first<Arch>(y + i, f(load_first<Arch>(x + i, n - i)), n - i);
}

}  // namespace genomamba::kernels::impl
