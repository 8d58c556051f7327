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

/// Bytes of x that are run against every panel before the next rows: with two panels and the lines
/// of y they stay in L2 (512 KiB on Zen 3) meanwhile.
inline constexpr std::size_t kLinearBlockBytes = 160 * 1024;

/// Floats of a cache line.
inline constexpr std::size_t kLineFloats = 16;

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

/// Epilogue of a tile [rows, width] that needs one. Not inlined: its loops are the same for every
/// tile.
template <class Arch>
[[gnu::noinline]] void finish_tile(const LinearCall& call, std::size_t m, std::size_t n,
                                   const float* tile, std::size_t rows, std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < width; j += kLanes<Arch>) {
      finish_vector<Arch>(call, m + i, n + j, load<Arch>(tile + i * width + j));
    }
  }
}

/// Rows [m, m + kRows) of kPanels neighbouring panels of kVectors vectors; n is the first column.
/// Meanwhile the panel at column n_ahead is fetched into L2.
template <class Arch, std::size_t kRows, std::size_t kVectors, std::size_t kPanels>
inline void linear_tile(const LinearCall& call, std::size_t m, std::size_t n, const float* ahead,
                        std::size_t ahead_step) {
  constexpr std::size_t kWidth = kLanes<Arch>;
  constexpr std::size_t kAll = kVectors * kPanels;
  const std::size_t in_features = call.in_features;
  const std::size_t x_stride = call.x_stride;
  const float* x = call.x + m * x_stride;
  const float* panel = call.panels + n * in_features;
  // The lines of y are far apart: without this, each store of the epilogue waits for its own.
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kAll * kWidth; j += kLineFloats)
      __builtin_prefetch(call.y + (m + i) * call.y_stride + n + j, 1);
  }
  Vec<Arch> sum[kRows][kAll];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kAll; ++j)
      sum[i][j] = splat<Arch>(0.0F);
  }
  for (std::size_t k = 0; k < in_features; ++k) {
    __builtin_prefetch(ahead, 0, 2);
    ahead += ahead_step;
    if constexpr (kPanels == 1) {
      Vec<Arch> w[kVectors];
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kVectors; ++j)
        w[j] = load<Arch>(panel + j * kWidth);
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kRows; ++i) {
        const Vec<Arch> xi = splat<Arch>(x[i * x_stride + k]);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kVectors; ++j)
          sum[i][j] = xsimd::fma(xi, w[j], sum[i][j]);
      }
    } else {  // few rows, many panels: the rows stay in registers, the weights pass through one
      Vec<Arch> xi[kRows];
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kRows; ++i)
        xi[i] = splat<Arch>(x[i * x_stride + k]);
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kAll; ++j) {
        const Vec<Arch> w = load<Arch>(panel + j / kVectors * (in_features * kVectors * kWidth) +
                                       j % kVectors * kWidth);
#pragma GCC unroll 16
        for (std::size_t i = 0; i < kRows; ++i)
          sum[i][j] = xsimd::fma(xi[i], w, sum[i][j]);
      }
    }
    panel += kVectors * kWidth;
  }
  const std::size_t end = n + kAll * kWidth;
  if (call.bias == nullptr && end <= call.silu_begin && end <= call.out_features) {
    float* y = call.y + m * call.y_stride + n;
    if (call.row_scale != nullptr) {
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kRows; ++i) {
        const Vec<Arch> scale = splat<Arch>(call.row_scale[m + i]);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kAll; ++j)
          sum[i][j] = sum[i][j] * scale;
      }
    }
    if (call.accumulate) {
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kAll; ++j)
          sum[i][j] = load<Arch>(y + i * call.y_stride + j * kWidth) + sum[i][j];
      }
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kAll; ++j)
        store<Arch>(y + i * call.y_stride + j * kWidth, sum[i][j]);
    }
    return;
  }
  alignas(64) float tile[kRows * kAll * kWidth];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kAll; ++j)
      store<Arch>(tile + (i * kAll + j) * kWidth, sum[i][j]);
  }
  finish_tile<Arch>(call, m, n, tile, kRows, kAll * kWidth);
}

/// linear_tile of one panel for a number of rows known at run time, 1 <= rows <= kRows.
template <class Arch, std::size_t kRows, std::size_t kVectors>
inline void linear_rows(const LinearCall& call, std::size_t m, std::size_t n, std::size_t rows,
                        const float* ahead, std::size_t ahead_step) {
  if constexpr (kRows > 1) {
    if (rows < kRows)
      return linear_rows<Arch, kRows - 1, kVectors>(call, m, n, rows, ahead, ahead_step);
  }
  linear_tile<Arch, kRows, kVectors, 1>(call, m, n, ahead, ahead_step);
}

/// Rows [m, end) of the panel at column n. Left-over rows share one more full tile, so that no tile
/// has only a row or two. The tiles together fetch the panel at n_ahead, evenly: a burst would hold
/// up their own loads.
template <class Arch, std::size_t kRows, std::size_t kVectors>
inline void linear_panel(const LinearCall& call, std::size_t m, std::size_t end, std::size_t n,
                         std::size_t n_ahead) {
  const std::size_t n_tiles = (end - m + kRows - 1) / kRows;
  const std::size_t step = (kVectors * kLanes<Arch> + n_tiles - 1) / n_tiles;
  const float* ahead = call.panels + n_ahead * call.in_features;
  for (; m + 2 * kRows <= end || m + kRows == end; m += kRows) {
    linear_tile<Arch, kRows, kVectors, 1>(call, m, n, ahead, step);
    ahead += call.in_features * step;
  }
  if (const std::size_t left = end - m; left > kRows) {
    linear_rows<Arch, kRows, kVectors>(call, m, n, (left + 1) / 2, ahead, step);
    m += (left + 1) / 2;
    ahead += call.in_features * step;
  }
  if (m < end) linear_rows<Arch, kRows, kVectors>(call, m, n, end - m, ahead, step);
}

/// All pairs [0, n_end) for kRows rows, too few to fill the registers from one panel: several
/// panels at once.
template <class Arch, std::size_t kRows, std::size_t kPanels>
inline void linear_few_rows(const LinearCall& call, std::size_t n_end) {
  constexpr std::size_t kPair = 2 * kLanes<Arch>;
  std::size_t n = 0;
  for (; n + kPanels * kPair <= n_end; n += kPanels * kPair) {
    const float* next = call.panels + (n + kPanels * kPair) * call.in_features;
    linear_tile<Arch, kRows, 2, kPanels>(call, 0, n, next, kPanels * kPair);
  }
  for (; n < n_end; n += kPair)
    linear_tile<Arch, kRows, 2, 1>(call, 0, n, call.panels, 0);
}

/// One row on the last kPanels pairs and kLast vectors of the last panel, from column n: all at
/// once, because the chains of a few vectors would wait for their own latency.
template <class Arch, std::size_t kPanels, std::size_t kLast>
[[gnu::noinline]] void linear_row_rest(const LinearCall& call, std::size_t n) {
  constexpr std::size_t kWidth = kLanes<Arch>;
  constexpr std::size_t kAll = 2 * kPanels + kLast;
  const std::size_t in_features = call.in_features;
  const float* panel = call.panels + n * in_features;
  const float* last = panel + 2 * kPanels * kWidth * in_features;
  Vec<Arch> sum[kAll];
#pragma GCC unroll 16
  for (std::size_t j = 0; j < kAll; ++j)
    sum[j] = splat<Arch>(0.0F);
  for (std::size_t k = 0; k < in_features; ++k) {
    const Vec<Arch> x = splat<Arch>(call.x[k]);
#pragma GCC unroll 16
    for (std::size_t j = 0; j < 2 * kPanels; ++j) {
      const float* w = panel + j / 2 * (2 * kWidth * in_features) + j % 2 * kWidth;
      sum[j] = xsimd::fma(x, load<Arch>(w), sum[j]);
    }
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kLast; ++j)
      sum[2 * kPanels + j] = xsimd::fma(x, load<Arch>(last + j * kWidth), sum[2 * kPanels + j]);
    panel += 2 * kWidth;
    last += kLast * kWidth;
  }
  alignas(64) float tile[kAll * kWidth];
#pragma GCC unroll 16
  for (std::size_t j = 0; j < kAll; ++j)
    store<Arch>(tile + j * kWidth, sum[j]);
  finish_tile<Arch>(call, 0, n, tile, 1, kAll * kWidth);
}

template <class Arch, std::size_t kLast>
inline void linear_row_rest(const LinearCall& call, std::size_t n, std::size_t n_panels) {
  switch (n_panels) {
    case 6:
      return linear_row_rest<Arch, 6, kLast>(call, n);
    case 5:
      return linear_row_rest<Arch, 5, kLast>(call, n);
    case 3:
      return linear_row_rest<Arch, 3, kLast>(call, n);
    case 2:
      return linear_row_rest<Arch, 2, kLast>(call, n);
    case 1:
      return linear_row_rest<Arch, 1, kLast>(call, n);
    default:
      if constexpr (kLast > 0) linear_row_rest<Arch, 0, kLast>(call, n);
  }
}

/// The only row: four panels at a time, then what is left, up to six.
template <class Arch>
inline void linear_row(const LinearCall& call, const PanelPlan& plan) {
  constexpr std::size_t kPair = 2 * kLanes<Arch>;
  const std::size_t n_over = plan.n_pairs % 4;
  const std::size_t n_rest = n_over > 0 && n_over < 3 && plan.n_pairs > 4 ? n_over + 4 : n_over;
  const std::size_t n_fours = (plan.n_pairs - n_rest) * kPair;
  for (std::size_t n = 0; n < n_fours; n += 4 * kPair) {
    const float* next = call.panels + (n + 4 * kPair) * call.in_features;
    linear_tile<Arch, 1, 2, 4>(call, 0, n, next, 4 * kPair);
  }
  if (plan.last_width == 3) return linear_row_rest<Arch, 3>(call, n_fours, n_rest);
  if (plan.last_width == 1) return linear_row_rest<Arch, 1>(call, n_fours, n_rest);
  linear_row_rest<Arch, 0>(call, n_fours, n_rest);
}

template <class Arch>
void linear_kernel(const LinearCall& call) noexcept {
  constexpr std::size_t kPair = 2 * kLanes<Arch>;
  constexpr std::size_t kRows2 = LinearTile<Arch>::kRows2;
  constexpr std::size_t kRows3 = LinearTile<Arch>::kRows3;
  const PanelPlan plan = plan_panels(call.out_features, kLanes<Arch>);
  if (call.rows == 1) return linear_row<Arch>(call, plan);
  const std::size_t n_last = plan.n_pairs * kPair;
  const std::size_t n_end = plan.n_vectors * kLanes<Arch>;
  const std::size_t fitting =
      kLinearBlockBytes / sizeof(float) / (call.in_features + 1) / kRows2 * kRows2;
  const std::size_t block = fitting > 8 * kRows2 ? fitting : 8 * kRows2;
  for (std::size_t m = 0; m < call.rows; m += block) {
    const std::size_t end = call.rows - m < block ? call.rows : m + block;
    if (call.rows == 2) {
      linear_few_rows<Arch, 2, 3>(call, n_last);
    } else if (call.rows == 3) {
      linear_few_rows<Arch, 3, 2>(call, n_last);
    } else {
      for (std::size_t n = 0; n < n_last; n += kPair) {
        linear_panel<Arch, kRows2, 2>(call, m, end, n, n + kPair < n_end ? n + kPair : 0);
      }
    }
    if (plan.last_width == 1) linear_panel<Arch, kRows2, 1>(call, m, end, n_last, 0);
    if (plan.last_width == 3) linear_panel<Arch, kRows3, 3>(call, m, end, n_last, 0);
  }
}

}  // namespace genomamba::kernels::impl
