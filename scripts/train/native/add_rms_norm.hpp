// SPDX-License-Identifier: MIT
// residual_out = hidden + residual; out = residual_out / rms(residual_out) * weight; forward and
// backward by rows.
#pragma once

#include <cmath>
#include <cstdint>

namespace train {

template <class T>
inline T dot(const T* x, const T* y, std::int64_t n) {
  typename Simd<T>::V s = {};
  for (std::int64_t i = 0; i < n; i += Simd<T>::kWidth)
    s += load(x + i) * load(y + i);
  return sum_lanes<T>(s);
}

// hidden, residual_in, residual_out, out: [rows, width]; residual_in may be null; rstd [rows] is
// kept for backward.
template <class T>
void norm_forward(std::int64_t rows, std::int64_t width, T eps, const T* hidden,
                  const T* residual_in, const T* weight, T* residual_out, T* out, T* rstd) {
  constexpr int W = Simd<T>::kWidth;
  for (std::int64_t t = 0; t < rows; ++t) {
    T* r = residual_out + t * width;
    for (std::int64_t i = 0; i < width; i += W) {
      auto v = load(hidden + t * width + i);
      if (residual_in) v += load(residual_in + t * width + i);
      store(r + i, v);
    }
    rstd[t] = 1 / std::sqrt(dot(r, r, width) / T(width) + eps);
    for (std::int64_t i = 0; i < width; i += W)
      store(out + t * width + i, load(r + i) * rstd[t] * load(weight + i));
  }
}

// dresidual_out may be null (nothing later uses the residual). dinput is the gradient of both
// hidden and residual_in. scratch [width].
template <class T>
void norm_backward(std::int64_t rows, std::int64_t width, const T* residual, const T* weight,
                   const T* rstd, const T* dout, const T* dresidual_out, T* dinput, T* dweight,
                   T* scratch) {
  constexpr int W = Simd<T>::kWidth;
  for (std::int64_t t = 0; t < rows; ++t) {
    const T* r = residual + t * width;
    const T* g = dout + t * width;
    const T s = rstd[t];
    for (std::int64_t i = 0; i < width; i += W) {
      store(scratch + i, load(g + i) * load(weight + i));
      store(dweight + i, load(dweight + i) + load(g + i) * load(r + i) * s);
    }
    const T along = dot(scratch, r, width) * s * s / T(width);
    for (std::int64_t i = 0; i < width; i += W) {
      auto d = (load(scratch + i) - load(r + i) * along) * s;
      if (dresidual_out) d += load(dresidual_out + t * width + i);
      store(dinput + t * width + i, d);
    }
  }
}

}  // namespace train
