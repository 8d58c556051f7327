// SPDX-License-Identifier: MIT
// The selective scan: vectors over channels, strips of channels outside, time inside, states in L1.
//
// A strip of kScanStrip channels walks through time in blocks of kScanBlock steps. Per block: delta
// and delta * u of the strip; then the recurrence, one group (two vectors, so that a broadcast of B
// and C serves twice) at a time; then D * u, the gate and the store. exp(delta A) is exp2(delta A')
// with A' = log2(e) A.
#pragma once

#include "impl/math_impl.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels::impl {

/// Steps between two range checks. The check chooses a loop, never a result: both loops agree in
/// range to the bit.
inline constexpr std::size_t kScanBlock = 16;

/// Row-major [kScanBlock, kScanStrip].
template <class Arch>
struct ScanScratch {
  alignas(64) float delta[kScanBlock * kScanStrip];
  alignas(64) float delta_u[kScanBlock * kScanStrip];
  alignas(64) float y[kScanBlock * kScanStrip];
  // Padded copies of a strip whose last group is not full.
  alignas(64) float u[kScanBlock * kScanStrip];
  alignas(64) float z[kScanBlock * kScanStrip];
  alignas(64) float out[kScanBlock * kScanStrip];
};

/// One block of one strip: `rows` steps, `width` channels (whole groups).
template <class Arch>
struct ScanBlockView {
  std::size_t rows;
  std::size_t width;
  const float* u;
  std::ptrdiff_t u_stride;
  const float* delta;
  std::ptrdiff_t delta_stride;
  const float* B;
  const float* C;
  const float* z;
  std::ptrdiff_t z_stride;
  float* out;
  std::ptrdiff_t out_stride;
};

/// delta (bias and softplus applied) and delta * u into the scratch. True if every |delta A'| of
/// the block is within the range of ScanExp2; NaN counts as outside.
template <class Arch>
inline bool prepare_block(const ScanCall& call, const ScanBlockView<Arch>& block, std::size_t c0,
                          ScanScratch<Arch>& scratch) {
  const Vec<Arch> limit = splat<Arch>(-kExp2Min);
  auto in_range = limit == limit;
  for (std::size_t c = 0; c < block.width; c += kLanes<Arch>) {
    const Vec<Arch> bias =
        call.delta_bias != nullptr ? load<Arch>(call.delta_bias + c0 + c) : splat<Arch>(0.0F);
    const Vec<Arch> A_max = load<Arch>(call.A_max + c0 + c);
    for (std::size_t t = 0; t < block.rows; ++t) {
      const auto row = static_cast<std::ptrdiff_t>(t);
      Vec<Arch> delta = load<Arch>(block.delta + row * block.delta_stride + c);
      if (call.delta_bias != nullptr) delta = delta + bias;
      if (call.delta_softplus) delta = softplus<Arch>(delta);
      store<Arch>(scratch.delta + t * kScanStrip + c, delta);
      store<Arch>(scratch.delta_u + t * kScanStrip + c,
                  delta * load<Arch>(block.u + row * block.u_stride + c));
      in_range = in_range & (xsimd::abs(delta) * A_max <= limit);
    }
  }
  return xsimd::all(in_range);
}

/// The recurrence of one group over the block: h = exp2(delta A') h + delta u B, y = sum_n C h.
/// A, h [d_state, 2 * kLanes].
template <class Arch, bool kInRange>
inline void recur_group(const ScanCall& call, const ScanBlockView<Arch>& block, const float* A,
                        float* h, std::size_t c, ScanScratch<Arch>& scratch) {
  constexpr std::size_t kWidth = kLanes<Arch>;
  for (std::size_t t = 0; t < block.rows; ++t) {
    const float* B = block.B + static_cast<std::ptrdiff_t>(t) * call.B_stride;
    const float* C = block.C + static_cast<std::ptrdiff_t>(t) * call.C_stride;
    const std::size_t at = t * kScanStrip + c;
    const Vec<Arch> delta0 = load<Arch>(scratch.delta + at);
    const Vec<Arch> delta1 = load<Arch>(scratch.delta + at + kWidth);
    const Vec<Arch> delta_u0 = load<Arch>(scratch.delta_u + at);
    const Vec<Arch> delta_u1 = load<Arch>(scratch.delta_u + at + kWidth);
    Vec<Arch> y0 = splat<Arch>(0.0F);
    Vec<Arch> y1 = splat<Arch>(0.0F);
    for (std::size_t n = 0; n < call.d_state; ++n) {
      const Vec<Arch> Bn = splat<Arch>(B[n]);
      const Vec<Arch> Cn = splat<Arch>(C[n]);
      const Vec<Arch> a0 = delta0 * load<Arch>(A + 2 * n * kWidth);
      const Vec<Arch> a1 = delta1 * load<Arch>(A + (2 * n + 1) * kWidth);
      const Vec<Arch> decay0 = kInRange ? ScanExp2<Arch>::apply(a0) : exp2_checked<Arch>(a0);
      const Vec<Arch> decay1 = kInRange ? ScanExp2<Arch>::apply(a1) : exp2_checked<Arch>(a1);
      const Vec<Arch> h0 = xsimd::fma(decay0, load<Arch>(h + 2 * n * kWidth), delta_u0 * Bn);
      const Vec<Arch> h1 = xsimd::fma(decay1, load<Arch>(h + (2 * n + 1) * kWidth), delta_u1 * Bn);
      store<Arch>(h + 2 * n * kWidth, h0);
      store<Arch>(h + (2 * n + 1) * kWidth, h1);
      y0 = xsimd::fma(h0, Cn, y0);
      y1 = xsimd::fma(h1, Cn, y1);
    }
    store<Arch>(scratch.y + at, y0);
    store<Arch>(scratch.y + at + kWidth, y1);
  }
}

/// out = (y + D u) SiLU(z), added to out if asked. u and z of an element are read before its out is
/// written.
template <class Arch>
inline void finish_block(const ScanCall& call, const ScanBlockView<Arch>& block, std::size_t c0,
                         const ScanScratch<Arch>& scratch) {
  for (std::size_t t = 0; t < block.rows; ++t) {
    const auto row = static_cast<std::ptrdiff_t>(t);
    for (std::size_t c = 0; c < block.width; c += kLanes<Arch>) {
      Vec<Arch> y = load<Arch>(scratch.y + t * kScanStrip + c);
      if (call.D != nullptr) {
        y = xsimd::fma(load<Arch>(call.D + c0 + c), load<Arch>(block.u + row * block.u_stride + c),
                       y);
      }
      if (block.z != nullptr) y = y * silu<Arch>(load<Arch>(block.z + row * block.z_stride + c));
      float* out = block.out + row * block.out_stride + c;
      store<Arch>(out, call.accumulate ? load<Arch>(out) + y : y);
    }
  }
}

template <class Arch>
inline void run_block(const ScanCall& call, const ScanBlockView<Arch>& block, std::size_t c0,
                      ScanScratch<Arch>& scratch) {
  constexpr std::size_t kGroup = 2 * kLanes<Arch>;
  const bool in_range = prepare_block<Arch>(call, block, c0, scratch);
  for (std::size_t c = 0; c < block.width; c += kGroup) {
    const float* A = call.A + (c0 + c) * call.d_state;
    float* h = call.state + (c0 + c) * call.d_state;
    if (in_range) {
      recur_group<Arch, true>(call, block, A, h, c, scratch);
    } else {
      recur_group<Arch, false>(call, block, A, h, c, scratch);
    }
  }
  finish_block<Arch>(call, block, c0, scratch);
}

/// rows x n floats from src into the padded scratch: zeros past n.
template <class Arch>
inline void copy_padded(const float* src, std::ptrdiff_t stride, std::size_t rows, std::size_t n,
                        float* dst) {
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t c = 0; c < kScanStrip; ++c) {
      dst[t * kScanStrip + c] =
          c < n ? src[static_cast<std::ptrdiff_t>(t) * stride + static_cast<std::ptrdiff_t>(c)]
                : 0.0F;
    }
  }
}

/// run_block for a strip of n channels that does not fill its last group: the same arithmetic on
/// padded copies.
template <class Arch>
inline void run_ragged_block(const ScanCall& call, const ScanBlockView<Arch>& block, std::size_t c0,
                             std::size_t n, ScanScratch<Arch>& scratch) {
  constexpr auto kStride = static_cast<std::ptrdiff_t>(kScanStrip);
  ScanBlockView<Arch> padded = block;
  copy_padded<Arch>(block.u, block.u_stride, block.rows, n, scratch.u);
  copy_padded<Arch>(block.delta, block.delta_stride, block.rows, n, scratch.delta);
  padded.u = scratch.u;
  padded.delta = scratch.delta;
  padded.u_stride = padded.delta_stride = padded.z_stride = padded.out_stride = kStride;
  if (block.z != nullptr) {
    copy_padded<Arch>(block.z, block.z_stride, block.rows, n, scratch.z);
    padded.z = scratch.z;
  }
  copy_padded<Arch>(block.out, block.out_stride, block.rows, n, scratch.out);
  padded.out = scratch.out;
  run_block<Arch>(call, padded, c0, scratch);
  for (std::size_t t = 0; t < block.rows; ++t) {
    for (std::size_t c = 0; c < n; ++c) {
      block
          .out[static_cast<std::ptrdiff_t>(t) * block.out_stride + static_cast<std::ptrdiff_t>(c)] =
          scratch.out[t * kScanStrip + c];
    }
  }
}

template <class Arch>
void selective_scan_kernel(const ScanCall& call) noexcept {
  constexpr std::size_t kGroup = 2 * kLanes<Arch>;
  ScanScratch<Arch> scratch;
  for (std::size_t c0 = 0; c0 < call.channels; c0 += kScanStrip) {
    const std::size_t left = call.channels - c0;
    const std::size_t n = left < kScanStrip ? left : kScanStrip;
    for (std::size_t t0 = 0; t0 < call.seqlen; t0 += kScanBlock) {
      const auto t = static_cast<std::ptrdiff_t>(t0);
      const std::size_t rows = call.seqlen - t0 < kScanBlock ? call.seqlen - t0 : kScanBlock;
      const ScanBlockView<Arch> block = {
          rows,
          (n + kGroup - 1) / kGroup * kGroup,
          call.u + t * call.u_stride + c0,
          call.u_stride,
          call.delta + t * call.delta_stride + c0,
          call.delta_stride,
          call.B + t * call.B_stride,
          call.C + t * call.C_stride,
          call.z != nullptr ? call.z + t * call.z_stride + c0 : nullptr,
          call.z_stride,
          call.out + t * call.out_stride + c0,
          call.out_stride,
      };
      if (n % kGroup == 0) {
        run_block<Arch>(call, block, c0, scratch);
      } else {
        run_ragged_block<Arch>(call, block, c0, n, scratch);
      }
    }
  }
}

}  // namespace genomamba::kernels::impl
