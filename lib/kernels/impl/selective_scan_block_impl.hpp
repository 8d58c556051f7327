// SPDX-License-Identifier: MIT
// The elementwise parts of a block of the selective scan: delta, softplus and delta * u before the
// recurrence; D * u, the gate and the store after it.
#pragma once

#include "impl/math_impl.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels::impl {

/// Steps of a block, between two range checks. The check chooses a loop, never a result: both loops
/// agree in range to the bit. Measured on Zen 3 with 4 to 32: more than 8 push the next block's
/// lines out of L1, fewer reload A and h.
inline constexpr std::size_t kScanBlock = 8;

/// Row-major [kScanBlock, kScanStrip].
template <class Arch>
struct ScanScratch {
  alignas(64) float delta[kScanBlock * kScanStrip];
  alignas(64) float delta_u[kScanBlock * kScanStrip];  // the recurrence replaces a row by its y
  // Padded copies [kScanBlock, 2 * kLanes] of a last group that is not full.
  alignas(64) float u[kScanBlock * 2 * kLanes<Arch>];
  alignas(64) float raw_delta[kScanBlock * 2 * kLanes<Arch>];
  alignas(64) float z[kScanBlock * 2 * kLanes<Arch>];
  alignas(64) float out[kScanBlock * 2 * kLanes<Arch>];
};

/// One block of one strip: `rows` steps, `width` channels (whole groups).
template <class Arch>
struct ScanBlockView {
  std::size_t rows;
  std::size_t width;
  const float* u;
  std::ptrdiff_t u_stride;
  const float* delta;  // of the caller, or (dt_r given) of the scratch
  std::ptrdiff_t delta_stride;
  const float* dt_r;
  const float* B;
  const float* C;
  const float* z;
  std::ptrdiff_t z_stride;
  float* out;
  std::ptrdiff_t out_stride;
  std::ptrdiff_t
      next;  // rows from here to the block that comes next, whose lines are fetched ahead
};

/// Rows [t, t + kRows) of delta = dt_r dt_proj^T for the group at channel c of the strip, into the
/// scratch: one chain of multiply-adds over dt_rank an element, as `linear` has it, so both give
/// the same bits.
template <class Arch, std::size_t kRows>
inline void project_delta_rows(const ScanCall& call, const float* dt_r, const float* dt_proj,
                               float* delta) {
  constexpr std::size_t kWidth = kLanes<Arch>;
  const std::size_t dt_rank = call.dt_rank;
  const std::ptrdiff_t stride = call.dt_r_stride;
  Vec<Arch> sum[kRows][2];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kRows; ++i)
    sum[i][0] = sum[i][1] = splat<Arch>(0.0F);
  for (std::size_t r = 0; r < dt_rank; ++r) {
    const Vec<Arch> w0 = load<Arch>(dt_proj + 2 * r * kWidth);
    const Vec<Arch> w1 = load<Arch>(dt_proj + (2 * r + 1) * kWidth);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kRows; ++i) {
      const Vec<Arch> x = splat<Arch>(
          dt_r[static_cast<std::ptrdiff_t>(i) * stride + static_cast<std::ptrdiff_t>(r)]);
      sum[i][0] = xsimd::fma(x, w0, sum[i][0]);
      sum[i][1] = xsimd::fma(x, w1, sum[i][1]);
    }
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kRows; ++i) {
    store<Arch>(delta + i * kScanStrip, sum[i][0]);
    store<Arch>(delta + i * kScanStrip + kWidth, sum[i][1]);
  }
}

/// delta of a block from dt_r: its `width` channels of a strip at c0.
template <class Arch>
inline void project_delta(const ScanCall& call, const float* dt_r, std::size_t rows,
                          std::size_t width, std::size_t c0, ScanScratch<Arch>& scratch) {
  for (std::size_t c = 0; c < width; c += 2 * kLanes<Arch>) {
    const float* dt_proj = call.dt_proj + (c0 + c) * call.dt_rank;
    std::size_t t = 0;
    for (; t + 4 <= rows; t += 4) {
      project_delta_rows<Arch, 4>(call, dt_r + static_cast<std::ptrdiff_t>(t) * call.dt_r_stride,
                                  dt_proj, scratch.delta + t * kScanStrip + c);
    }
    for (; t < rows; ++t) {
      project_delta_rows<Arch, 1>(call, dt_r + static_cast<std::ptrdiff_t>(t) * call.dt_r_stride,
                                  dt_proj, scratch.delta + t * kScanStrip + c);
    }
  }
}

/// delta (bias and softplus applied) and delta * u into the scratch. True if every |delta A'| of
/// the block is within the range of ScanExp2; NaN counts as outside.
template <class Arch>
inline bool prepare_block(const ScanCall& call, const ScanBlockView<Arch>& block, std::size_t c0,
                          ScanScratch<Arch>& scratch) {
  // Copies: a vector store may alias anything, and the fields would be read again after each.
  const float* const delta_bias = call.delta_bias != nullptr ? call.delta_bias + c0 : nullptr;
  const float* const delta_limit = call.delta_limit + c0;
  const bool delta_softplus = call.delta_softplus;
  const std::size_t width = block.width;
  auto in_range = splat<Arch>(0.0F) == splat<Arch>(0.0F);
  for (std::size_t t = 0; t < block.rows; ++t) {
    const float* delta_row = block.delta + static_cast<std::ptrdiff_t>(t) * block.delta_stride;
    const float* u_row = block.u + static_cast<std::ptrdiff_t>(t) * block.u_stride;
    for (std::size_t c = 0; c < width; c += kLanes<Arch>) {
      Vec<Arch> delta = load<Arch>(delta_row + c);
      if (delta_bias != nullptr) delta = delta + load<Arch>(delta_bias + c);
      if (delta_softplus) delta = softplus<Arch>(delta);
      store<Arch>(scratch.delta + t * kScanStrip + c, delta);
      store<Arch>(scratch.delta_u + t * kScanStrip + c, delta * load<Arch>(u_row + c));
      in_range = in_range & (xsimd::abs(delta) <= load<Arch>(delta_limit + c));
    }
  }
  return xsimd::all(in_range);
}

/// out = (y + D u) SiLU(z), added to out if asked. u and z of an element are read before its out is
/// written.
template <class Arch>
inline void finish_block(const ScanCall& call, const ScanBlockView<Arch>& block, std::size_t c0,
                         const ScanScratch<Arch>& scratch) {
  const float* const D = call.D != nullptr ? call.D + c0 : nullptr;
  const bool accumulate = call.accumulate;
  const bool gated = block.z != nullptr;
  const std::size_t width = block.width;
  for (std::size_t t = 0; t < block.rows; ++t) {
    const auto row = static_cast<std::ptrdiff_t>(t);
    const float* u_row = block.u + row * block.u_stride;
    const float* z_row = gated ? block.z + row * block.z_stride : u_row;
    float* out_row = block.out + row * block.out_stride;
    for (std::size_t c = 0; c < width; c += kLanes<Arch>) {
      Vec<Arch> y = load<Arch>(scratch.delta_u + t * kScanStrip + c);
      if (D != nullptr) y = xsimd::fma(load<Arch>(D + c), load<Arch>(u_row + c), y);
      if (gated) y = y * silu<Arch>(load<Arch>(z_row + c));
      if (accumulate) y = load<Arch>(out_row + c) + y;
      store<Arch>(out_row + c, y);
    }
  }
}

}  // namespace genomamba::kernels::impl
