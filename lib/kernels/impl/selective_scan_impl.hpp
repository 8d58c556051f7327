// SPDX-License-Identifier: MIT
// The selective scan: vectors over channels, strips of channels outside, time inside, states of a
// group in L1.
//
// A strip of kScanStrip channels walks through time in blocks of kScanBlock steps. Per block: delta
// and delta * u of the strip (delta from dt_r, if the caller has no delta); then the recurrence,
// one group (two vectors, so that a broadcast of B and C serves twice) after the other, all steps
// of the block each; then D * u, the gate and the store. The elementwise passes want long rows,
// within which the processor fetches ahead; the recurrence wants little A and h at a time: hence
// strips of many groups. exp(delta A) is exp2(delta A') with A' = log2(e) A.
#pragma once

#include "impl/selective_scan_block_impl.hpp"

namespace genomamba::kernels::impl {

/// One state of one group at one step: h = exp2(delta A') h + delta u B, y += C h. The two vectors
/// are independent.
template <class Arch, bool kInRange>
inline void recur_state(const float* A, float* h, const Vec<Arch> (&delta)[2],
                        const Vec<Arch> (&delta_u)[2], const float* B, const float* C,
                        Vec<Arch> (&y)[2]) {
  constexpr std::size_t kWidth = kLanes<Arch>;
  const Vec<Arch> Bn = splat<Arch>(*B);
  const Vec<Arch> Cn = splat<Arch>(*C);
  const Vec<Arch> a0 = delta[0] * load<Arch>(A);
  const Vec<Arch> a1 = delta[1] * load<Arch>(A + kWidth);
  const Vec<Arch> decay0 = kInRange ? ScanExp2<Arch>::apply(a0) : exp2_checked<Arch>(a0);
  const Vec<Arch> decay1 = kInRange ? ScanExp2<Arch>::apply(a1) : exp2_checked<Arch>(a1);
  const Vec<Arch> h0 = xsimd::fma(decay0, load<Arch>(h), delta_u[0] * Bn);
  const Vec<Arch> h1 = xsimd::fma(decay1, load<Arch>(h + kWidth), delta_u[1] * Bn);
  store<Arch>(h, h0);
  store<Arch>(h + kWidth, h1);
  y[0] = xsimd::fma(h0, Cn, y[0]);
  y[1] = xsimd::fma(h1, Cn, y[1]);
}

/// The recurrence of one group over the block. A, h [d_state, 2 * kLanes]. kStates: d_state if
/// known when compiled (the loop over states then has no end), else 0.
template <class Arch, bool kInRange, std::size_t kStates>
inline void recur_group(const ScanCall& call, const ScanBlockView<Arch>& block, const float* A,
                        float* h, std::size_t c, ScanScratch<Arch>& scratch) {
  constexpr std::size_t kWidth = kLanes<Arch>;
  const std::size_t d_state = kStates > 0 ? kStates : call.d_state;
  const std::size_t rows = block.rows;
  const auto column = static_cast<std::ptrdiff_t>(c);
  const float* B = block.B;
  const float* C = block.C;
  const float* u_ahead = block.u + block.next * block.u_stride + column;
  const bool has_delta = block.dt_r == nullptr;
  const float* delta_ahead =
      has_delta ? block.delta + block.next * block.delta_stride + column : u_ahead;
  const std::ptrdiff_t delta_stride = has_delta ? block.delta_stride : block.u_stride;
  const float* z_ahead =
      block.z != nullptr ? block.z + block.next * block.z_stride + column : u_ahead;
  const float* out_ahead = block.out + block.next * block.out_stride + column;
  const std::ptrdiff_t z_stride = block.z != nullptr ? block.z_stride : block.u_stride;
  const float* delta_row = scratch.delta + c;
  float* row = scratch.delta_u + c;
  for (std::size_t t = 0; t < rows; ++t) {
    // A row of a strip is too short for the processor to see the pattern.
    __builtin_prefetch(u_ahead);
    __builtin_prefetch(delta_ahead);
    __builtin_prefetch(z_ahead);
    __builtin_prefetch(out_ahead, 1);
    u_ahead += block.u_stride;
    delta_ahead += delta_stride;
    z_ahead += z_stride;
    out_ahead += block.out_stride;
    const Vec<Arch> delta[2] = {load<Arch>(delta_row), load<Arch>(delta_row + kWidth)};
    const Vec<Arch> delta_u[2] = {load<Arch>(row), load<Arch>(row + kWidth)};
    Vec<Arch> y[2] = {splat<Arch>(0.0F), splat<Arch>(0.0F)};
    if constexpr (kStates > 0) {
#pragma GCC unroll 16
      for (std::size_t n = 0; n < kStates; ++n) {
        recur_state<Arch, kInRange>(A + 2 * n * kWidth, h + 2 * n * kWidth, delta, delta_u, B + n,
                                    C + n, y);
      }
    } else {
      for (std::size_t n = 0; n < d_state; ++n) {
        recur_state<Arch, kInRange>(A + 2 * n * kWidth, h + 2 * n * kWidth, delta, delta_u, B + n,
                                    C + n, y);
      }
    }
    store<Arch>(row, y[0]);
    store<Arch>(row + kWidth, y[1]);
    B += call.B_stride;
    C += call.C_stride;
    delta_row += kScanStrip;
    row += kScanStrip;
  }
}

template <class Arch, std::size_t kStates>
inline void recur_block(const ScanCall& call, const ScanBlockView<Arch>& block, std::size_t c0,
                        bool in_range, ScanScratch<Arch>& scratch) {
  for (std::size_t c = 0; c < block.width; c += 2 * kLanes<Arch>) {
    const float* A = call.A + (c0 + c) * call.d_state;
    float* h = call.state + (c0 + c) * call.d_state;
    if (in_range) {
      recur_group<Arch, true, kStates>(call, block, A, h, c, scratch);
    } else {
      recur_group<Arch, false, 0>(call, block, A, h, c, scratch);
    }
  }
}

template <class Arch>
inline void run_block(const ScanCall& call, const ScanBlockView<Arch>& block, std::size_t c0,
                      ScanScratch<Arch>& scratch) {
  if (block.dt_r != nullptr)
    project_delta<Arch>(call, block.dt_r, block.rows, block.width, c0, scratch);
  const bool in_range = prepare_block<Arch>(call, block, c0, scratch);
  if (call.d_state == 16) {
    recur_block<Arch, 16>(call, block, c0, in_range, scratch);
  } else {
    recur_block<Arch, 0>(call, block, c0, in_range, scratch);
  }
  finish_block<Arch>(call, block, c0, scratch);
}

/// rows x n floats from src, n < 2 * kLanes, padded with zeros to one group.
template <class Arch>
inline void copy_padded(const float* src, std::ptrdiff_t stride, std::size_t rows, std::size_t n,
                        float* dst) {
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t c = 0; c < 2 * kLanes<Arch>; ++c)
      *dst++ = c < n ? src[c] : 0.0F;
    src += stride;
  }
}

/// run_block for a last group of n channels that is not full: the same arithmetic on padded copies.
template <class Arch>
inline void run_ragged_block(const ScanCall& call, const ScanBlockView<Arch>& block, std::size_t c0,
                             std::size_t n, ScanScratch<Arch>& scratch) {
  ScanBlockView<Arch> padded = block;
  copy_padded<Arch>(block.u, block.u_stride, block.rows, n, scratch.u);
  if (block.dt_r == nullptr) {
    copy_padded<Arch>(block.delta, block.delta_stride, block.rows, n, scratch.raw_delta);
    padded.delta = scratch.raw_delta;
    padded.delta_stride = static_cast<std::ptrdiff_t>(2 * kLanes<Arch>);
  }
  copy_padded<Arch>(block.out, block.out_stride, block.rows, n, scratch.out);
  if (block.z != nullptr) {
    copy_padded<Arch>(block.z, block.z_stride, block.rows, n, scratch.z);
    padded.z = scratch.z;
  }
  padded.u = scratch.u;
  padded.out = scratch.out;
  padded.u_stride = padded.z_stride = padded.out_stride =
      static_cast<std::ptrdiff_t>(2 * kLanes<Arch>);
  padded.next = 0;
  run_block<Arch>(call, padded, c0, scratch);
  for (std::size_t t = 0; t < block.rows; ++t) {
    float* out = block.out + static_cast<std::ptrdiff_t>(t) * block.out_stride;
    for (std::size_t c = 0; c < n; ++c)
      out[c] = scratch.out[t * 2 * kLanes<Arch> + c];
  }
}

/// All of time for channels [c0, c0 + n): whole groups, or fewer than one.
template <class Arch>
inline void scan_strip(const ScanCall& call, std::size_t c0, std::size_t n,
                       ScanScratch<Arch>& scratch) {
  constexpr std::size_t kGroup = 2 * kLanes<Arch>;
  for (std::size_t t0 = 0; t0 < call.seqlen; t0 += kScanBlock) {
    const auto t = static_cast<std::ptrdiff_t>(t0);
    const std::size_t left = call.seqlen - t0;
    const ScanBlockView<Arch> block = {
        .rows = left < kScanBlock ? left : kScanBlock,
        .width = (n + kGroup - 1) / kGroup * kGroup,
        .u = call.u + t * call.u_stride + c0,
        .u_stride = call.u_stride,
        .delta = call.dt_r != nullptr ? scratch.delta : call.delta + t * call.delta_stride + c0,
        .delta_stride =
            call.dt_r != nullptr ? static_cast<std::ptrdiff_t>(kScanStrip) : call.delta_stride,
        .dt_r = call.dt_r != nullptr ? call.dt_r + t * call.dt_r_stride : nullptr,
        .B = call.B + t * call.B_stride,
        .C = call.C + t * call.C_stride,
        .z = call.z != nullptr ? call.z + t * call.z_stride + c0 : nullptr,
        .z_stride = call.z_stride,
        .out = call.out + t * call.out_stride + c0,
        .out_stride = call.out_stride,
        // After the last block of a strip: its first rows, which lie beside those of the next
        // strip.
        .next = left > kScanBlock ? static_cast<std::ptrdiff_t>(kScanBlock) : -t,
    };
    if (n % kGroup == 0) {
      run_block<Arch>(call, block, c0, scratch);
    } else {
      run_ragged_block<Arch>(call, block, c0, n, scratch);
    }
  }
}

template <class Arch>
void selective_scan_kernel(const ScanCall& call) noexcept {
  constexpr std::size_t kGroup = 2 * kLanes<Arch>;
  ScanScratch<Arch> scratch;
  const std::size_t in_groups = call.channels / kGroup * kGroup;
  for (std::size_t c0 = 0; c0 < in_groups; c0 += kScanStrip) {
    const std::size_t left = in_groups - c0;
    scan_strip<Arch>(call, c0, left < kScanStrip ? left : kScanStrip, scratch);
  }
  if (in_groups < call.channels)
    scan_strip<Arch>(call, in_groups, call.channels - in_groups, scratch);
}

}  // namespace genomamba::kernels::impl
