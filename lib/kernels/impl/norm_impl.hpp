// SPDX-License-Identifier: MIT
// RMSNorm and LayerNorm: sums in four vectors, in an order fixed by d_model alone.
#pragma once

#include "impl/math_impl.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels::impl {

/// sum_i f(x[i]); f of the zeros that pad the tail must be masked by f itself (`n_valid` lanes
/// count).
template <class Arch, class Term>
inline float sum_terms(const float* x, std::size_t n, Term term) {
  constexpr std::size_t kWidth = kLanes<Arch>;
  Vec<Arch> sum[4] = {splat<Arch>(0.0F), splat<Arch>(0.0F), splat<Arch>(0.0F), splat<Arch>(0.0F)};
  std::size_t i = 0;
  for (; i + 4 * kWidth <= n; i += 4 * kWidth) {
    for (std::size_t j = 0; j < 4; ++j)
      sum[j] = term(load<Arch>(x + i + j * kWidth), sum[j]);
  }
  for (; i + kWidth <= n; i += kWidth)
    sum[0] = term(load<Arch>(x + i), sum[0]);
  float tail = 0.0F;
  if (i < n) {
    alignas(64) float lane[kWidth];
    store<Arch>(lane, term(load_first<Arch>(x + i, n - i), splat<Arch>(0.0F)));
    for (std::size_t j = 0; j < n - i; ++j)
      tail += lane[j];
  }
  return sum_lanes<Arch>((sum[0] + sum[1]) + (sum[2] + sum[3])) + tail;
}

template <class Arch>
inline float reciprocal_rms(const float* x, std::size_t d_model, float eps) {
  const float sum = sum_terms<Arch>(
      x, d_model, [](const Vec<Arch>& v, const Vec<Arch>& acc) { return xsimd::fma(v, v, acc); });
  return 1.0F / __builtin_sqrtf(sum / static_cast<float>(d_model) + eps);
}

template <class Arch>
void rms_norm_kernel(const NormCall& call) noexcept {
  for (std::size_t m = 0; m < call.rows; ++m) {
    const float* x = call.x + m * call.x_stride;
    float* y = call.y + m * call.y_stride;
    const Vec<Arch> scale = splat<Arch>(reciprocal_rms<Arch>(x, call.d_model, call.eps));
    std::size_t i = 0;
    for (; i + kLanes<Arch> <= call.d_model; i += kLanes<Arch>) {
      store<Arch>(y + i, load<Arch>(x + i) * scale * load<Arch>(call.weight + i));
    }
    if (const std::size_t n = call.d_model - i; n > 0) {
      store_first<Arch>(
          y + i, load_first<Arch>(x + i, n) * scale * load_first<Arch>(call.weight + i, n), n);
    }
  }
}

template <class Arch>
void rms_scale_kernel(const NormCall& call, float* scale) noexcept {
  for (std::size_t m = 0; m < call.rows; ++m) {
    scale[m] = reciprocal_rms<Arch>(call.x + m * call.x_stride, call.d_model, call.eps);
  }
}

template <class Arch>
void layer_norm_kernel(const NormCall& call) noexcept {
  const float n_columns = static_cast<float>(call.d_model);
  for (std::size_t m = 0; m < call.rows; ++m) {
    const float* x = call.x + m * call.x_stride;
    float* y = call.y + m * call.y_stride;
    const float sum = sum_terms<Arch>(
        x, call.d_model, [](const Vec<Arch>& v, const Vec<Arch>& acc) { return acc + v; });
    const Vec<Arch> mean = splat<Arch>(sum / n_columns);
    const float squares =
        sum_terms<Arch>(x, call.d_model, [&mean](const Vec<Arch>& v, const Vec<Arch>& acc) {
          const Vec<Arch> centred = v - mean;
          return xsimd::fma(centred, centred, acc);
        });
    const Vec<Arch> scale = splat<Arch>(1.0F / __builtin_sqrtf(squares / n_columns + call.eps));
    for (std::size_t i = 0; i < call.d_model; i += kLanes<Arch>) {
      const std::size_t left = call.d_model - i;
      const std::size_t n = left < kLanes<Arch> ? left : kLanes<Arch>;
      const auto at = [n](const float* p) {
        return n == kLanes<Arch> ? load<Arch>(p) : load_first<Arch>(p, n);
      };
      Vec<Arch> v = (at(x + i) - mean) * scale * at(call.weight + i);
      if (call.bias != nullptr) v = v + at(call.bias + i);
      n == kLanes<Arch> ? store<Arch>(y + i, v) : store_first<Arch>(y + i, v, n);
    }
  }
}

/// One group of one row: gated into y first (or the gate last), the mean square in the order of
/// reciprocal_rms.
template <class Arch>
inline void rms_norm_gated_group(const float* x, const float* z, const float* weight, float* y,
                                 std::size_t width, float eps, bool norm_before_gate) {
  const auto at = [](const float* p, std::size_t n) {
    return n == kLanes<Arch> ? load<Arch>(p) : load_first<Arch>(p, n);
  };
  const auto put = [](float* p, const Vec<Arch>& v, std::size_t n) {
    n == kLanes<Arch> ? store<Arch>(p, v) : store_first<Arch>(p, v, n);
  };
  float rms = norm_before_gate ? reciprocal_rms<Arch>(x, width, eps) : 1.0F;
  for (std::size_t i = 0; i < width; i += kLanes<Arch>) {
    const std::size_t n = width - i < kLanes<Arch> ? width - i : kLanes<Arch>;
    put(y + i, at(x + i, n) * splat<Arch>(rms) * silu<Arch>(at(z + i, n)), n);
  }
  rms = norm_before_gate ? 1.0F : reciprocal_rms<Arch>(y, width, eps);
  for (std::size_t i = 0; i < width; i += kLanes<Arch>) {
    const std::size_t n = width - i < kLanes<Arch> ? width - i : kLanes<Arch>;
    put(y + i, at(y + i, n) * splat<Arch>(rms) * at(weight + i, n), n);
  }
}

template <class Arch>
void rms_norm_gated_kernel(const GatedNormCall& call) noexcept {
  const NormCall& norm = call.norm;
  const std::size_t width = norm.d_model / call.n_groups;
  for (std::size_t m = 0; m < norm.rows; ++m) {
    for (std::size_t first = 0; first < norm.d_model; first += width) {
      rms_norm_gated_group<Arch>(norm.x + m * norm.x_stride + first,
                                 call.z + m * call.z_stride + first, norm.weight + first,
                                 norm.y + m * norm.y_stride + first, width, norm.eps,
                                 call.norm_before_gate);
    }
  }
}

}  // namespace genomamba::kernels::impl
