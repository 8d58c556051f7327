// SPDX-License-Identifier: MIT
// The selective scan of Mamba-1 (Gu and Dao 2023, algorithm 2), fused: no [seqlen, d_inner,
// d_state] array is stored.
#pragma once

#include <cstddef>

#include "genomamba/core/aligned_buffer.hpp"
#include "genomamba/core/executor.hpp"

namespace genomamba::kernels {

struct KernelTable;

/// Arguments of `selective_scan`, named as in mamba_ssm's selective_scan_ref, but time-major: row t
/// of a matrix begins at pointer + t * stride (in floats). The pointers are the caller's.
struct SelectiveScanArgs {
  std::size_t seqlen = 0;
  std::size_t d_inner = 0;
  std::size_t d_state = 0;
  std::size_t channel_begin = 0;  ///< only channels [channel_begin, channel_end) are computed
  std::size_t channel_end = 0;

  const float* u = nullptr;  ///< [seqlen, d_inner]
  std::size_t u_stride = 0;
  const float* delta = nullptr;  ///< [seqlen, d_inner]
  std::size_t delta_stride = 0;
  const float* A = nullptr;  ///< [d_inner, d_state], contiguous; A = -exp(A_log), every value <= 0
  const float* B = nullptr;  ///< [seqlen, d_state]
  std::size_t B_stride = 0;
  const float* C = nullptr;  ///< [seqlen, d_state]
  std::size_t C_stride = 0;
  const float* D = nullptr;  ///< [d_inner] or null: adds D * u
  const float* z = nullptr;  ///< [seqlen, d_inner] or null: the result is multiplied by SiLU(z)
  std::size_t z_stride = 0;
  const float* delta_bias = nullptr;  ///< [d_inner] or null: added to delta
  bool delta_softplus = false;        ///< softplus (threshold 20) of delta + delta_bias

  bool reverse = false;                  ///< time runs from the last row to the first
  bool accumulate = false;               ///< out += result instead of out = result
  const float* initial_state = nullptr;  ///< [d_inner, d_state], contiguous, or null for zero
  float* last_state = nullptr;  ///< [d_inner, d_state], contiguous, or null; may be initial_state
  float* out = nullptr;         ///< [seqlen, d_inner]; may be u or z itself
  std::size_t out_stride = 0;
};

/// h[t] = exp(delta[t] A) h[t-1] + delta[t] B[t] u[t];  out[t] = (C[t] h[t] + D u[t]) SiLU(z[t]),
/// per channel. Reference: mamba_ssm/ops/selective_scan_interface.py, selective_scan_ref. Runs in
/// the calling thread with the active ISA. A result does not depend on how seqlen or the channel
/// range is cut into calls, to the bit. Precondition (asserted): sizes fit, channel_begin <=
/// channel_end <= d_inner.
void selective_scan(const SelectiveScanArgs& args);

/// The same on every core of `executor` (pipeline/core_executor.hpp has one on oneTBB), the range
/// of channels cut into pieces: the same bits for any number of cores. Throws what the executor
/// throws, and std::bad_alloc.
void selective_scan(const SelectiveScanArgs& args, Executor& executor);

/// The parameters of one mixer's scan, laid out for the ISA that was active when it was made (which
/// then also runs it). Immutable, shareable between threads.
class ScanWeights {
 public:
  ScanWeights() = default;
  /// A [d_inner, d_state] = -exp(A_log); D [d_inner] or null; delta_bias [d_inner] or null. dt_proj
  /// [d_inner, dt_rank] or null: with it, a call may give dt_r instead of delta.
  ScanWeights(const float* A, const float* D, const float* delta_bias, std::size_t d_inner,
              std::size_t d_state, const float* dt_proj = nullptr, std::size_t dt_rank = 0);

  std::size_t d_inner() const noexcept { return d_inner_; }
  std::size_t d_state() const noexcept { return d_state_; }
  /// Floats of one sequence's carried state, in this class's own layout.
  std::size_t state_size() const noexcept { return packed_.size(); }
  const float* packed_A() const noexcept { return packed_.data(); }
  /// |delta| of each channel up to which the exponential needs no range check (internal).
  const float* delta_limit() const noexcept { return delta_limit_.data(); }
  const float* D() const noexcept { return D_.data(); }
  const float* delta_bias() const noexcept { return delta_bias_.data(); }
  std::size_t dt_rank() const noexcept { return dt_rank_; }
  const float* packed_dt_proj() const noexcept { return dt_proj_.data(); }
  /// The kernels of that ISA (internal).
  const KernelTable& table() const noexcept { return *table_; }

 private:
  const KernelTable* table_ = nullptr;
  std::size_t d_inner_ = 0;
  std::size_t d_state_ = 0;
  AlignedBuffer<float> packed_;
  AlignedBuffer<float> delta_limit_;
  AlignedBuffer<float> D_;
  AlignedBuffer<float> delta_bias_;
  std::size_t dt_rank_ = 0;
  AlignedBuffer<float> dt_proj_;
};

/// The hot form of selective_scan, with packed weights.
struct PackedScanArgs {
  const ScanWeights* weights = nullptr;
  std::size_t seqlen = 0;
  std::size_t channel_begin = 0;  ///< a multiple of scan_channel_step()
  std::size_t channel_end = 0;    ///< a multiple of scan_channel_step(), or d_inner
  const float* u = nullptr;       ///< [seqlen, d_inner]
  std::size_t u_stride = 0;
  const float* delta =
      nullptr;  ///< [seqlen, d_inner], before bias and softplus; not read if dt_r is given
  std::size_t delta_stride = 0;
  /// [seqlen, dt_rank] or null: delta = dt_r dt_proj^T is computed inside the strip, to the bits
  /// that `linear` would give, and never stored. Needs weights made with dt_proj.
  const float* dt_r = nullptr;
  std::size_t dt_r_stride = 0;
  const float* B = nullptr;  ///< [seqlen, d_state]
  std::size_t B_stride = 0;
  const float* C = nullptr;  ///< [seqlen, d_state]
  std::size_t C_stride = 0;
  const float* z = nullptr;  ///< [seqlen, d_inner] or null
  std::size_t z_stride = 0;
  bool delta_softplus = true;
  bool reverse = false;
  bool accumulate = false;
  float* state =
      nullptr;           ///< [state_size()], read and written, or null: starts at zero, end dropped
  float* out = nullptr;  ///< [seqlen, d_inner]; may be u or z itself
  std::size_t out_stride = 0;
};

/// Floats between the rows of [seqlen, n] buffers at which the scan runs best: at least n, whole
/// cache lines, and never a multiple of 2 KiB, where the rows of a block would fall on the same
/// lines of L1.
std::size_t recommended_stride(std::size_t n) noexcept;

/// Channels are handed to threads in multiples of this many.
std::size_t scan_channel_step() noexcept;

void selective_scan(const PackedScanArgs& args);

/// The same on every core of `executor`, as for SelectiveScanArgs.
void selective_scan(const PackedScanArgs& args, Executor& executor);

}  // namespace genomamba::kernels
