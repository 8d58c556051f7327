// SPDX-License-Identifier: MIT
// The projection micro-kernel: a tile of rows x vectors of y in registers, over packed panels
// (linear_layout.hpp).
//
// Every element of y is one chain of multiply-adds over k = 0, 1, ... in_features - 1, whatever the
// tile: results do not depend on how rows are cut.
#pragma once

#include "impl/math_impl.hpp"
#include "kernel_table.hpp"
#include "linear_layout.hpp"

namespace genomamba::kernels::impl {

/// Rows of a tile on a panel of two and of three vectors: as many accumulators as the registers
/// hold.
template <class Arch>
struct LinearTile {
  static constexpr std::size_t kRows2 = 6;
  static constexpr std::size_t kRows3 = 4;
};

/// The epilogue and the store of one vector: columns [n, n + kLanes) of row m.
template <class Arch>
inline void finish_vector(const LinearCall& call, std::size_t m, std::size_t n, Vec<Arch> v) {
  constexpr std::size_t kWidth = kLanes<Arch>;
  if (call.row_scale != nullptr) v = v * splat<Arch>(call.row_scale[m]);
  if (call.bias != nullptr) v = v + load<Arch>(call.bias + n);
  if (n >= call.silu_begin) {
    v = silu<Arch>(v);
  } else if (n + kWidth > call.silu_begin) {  // the boundary lies inside this vector
    alignas(64) float lane[kWidth];
    alignas(64) float gated[kWidth];
    store<Arch>(lane, v);
    store<Arch>(gated, silu<Arch>(v));
    for (std::size_t i = call.silu_begin - n; i < kWidth; ++i)
      lane[i] = gated[i];
    v = load<Arch>(lane);
  }
  if (n >= call.out_features) return;
  float* y = call.y + m * call.y_stride + n;
  if (const std::size_t left = call.out_features - n; left < kWidth) {
    if (call.accumulate) v = load_first<Arch>(y, left) + v;
    store_first<Arch>(y, v, left);
  } else {
    if (call.accumulate) v = load<Arch>(y) + v;
    store<Arch>(y, v);
  }
}

/// Rows [m, m + kRows) of one panel of kVectors vectors whose first column is n.
template <class Arch, std::size_t kRows, std::size_t kVectors>
inline void linear_tile(const LinearCall& call, std::size_t m, std::size_t n) {
  constexpr std::size_t kWidth = kLanes<Arch>;
  const float* x = call.x + m * call.x_stride;
  const float* panel = call.panels + n * call.in_features;
  Vec<Arch> sum[kRows][kVectors];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j)
      sum[i][j] = splat<Arch>(0.0F);
  }
  for (std::size_t k = 0; k < call.in_features; ++k) {
    Vec<Arch> w[kVectors];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j)
      w[j] = load<Arch>(panel + (k * kVectors + j) * kWidth);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) {
      const Vec<Arch> xi = splat<Arch>(x[i * call.x_stride + k]);
#pragma GCC unroll 4
      for (std::size_t j = 0; j < kVectors; ++j)
        sum[i][j] = xsimd::fma(xi, w[j], sum[i][j]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j)
      finish_vector<Arch>(call, m + i, n + j * kWidth, sum[i][j]);
  }
}

/// linear_tile for a number of rows known at run time, 1 <= rows <= kRows.
template <class Arch, std::size_t kRows, std::size_t kVectors>
inline void linear_rows(const LinearCall& call, std::size_t m, std::size_t n, std::size_t rows) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return linear_rows<Arch, kRows - 1, kVectors>(call, m, n, rows);
  }
  linear_tile<Arch, kRows, kVectors>(call, m, n);
}

template <class Arch, std::size_t kRows, std::size_t kVectors>
inline void linear_panel(const LinearCall& call, std::size_t n) {
  std::size_t m = 0;
  for (; m + kRows <= call.rows; m += kRows)
    linear_tile<Arch, kRows, kVectors>(call, m, n);
  if (m < call.rows) linear_rows<Arch, kRows, kVectors>(call, m, n, call.rows - m);
}

template <class Arch>
void linear_kernel(const LinearCall& call) noexcept {
  const PanelPlan plan = plan_panels(call.out_features, kLanes<Arch>);
  const std::size_t n_last = plan.n_pairs * 2 * kLanes<Arch>;
  for (std::size_t n = 0; n < n_last; n += 2 * kLanes<Arch>) {
    linear_panel<Arch, LinearTile<Arch>::kRows2, 2>(call, n);
  }
  if (plan.last_width == 1) linear_panel<Arch, LinearTile<Arch>::kRows2, 1>(call, n_last);
  if (plan.last_width == 3) linear_panel<Arch, LinearTile<Arch>::kRows3, 3>(call, n_last);
}

}  // namespace genomamba::kernels::impl
