// SPDX-License-Identifier: MIT
// The recurrence of Mamba-2 (Dao and Gu 2024, state space duality): one scalar decay a head and
// step.
#pragma once

#include <cstddef>
#include <limits>

namespace genomamba::kernels {

/// Arguments of `ssd_scan`, named as in mamba_ssm's mamba_chunk_scan_combined, but time-major: row
/// t of a matrix begins at pointer + t * stride (in floats). The pointers are the caller's.
struct SsdScanArgs {
  std::size_t seqlen = 0;
  std::size_t n_heads = 0;
  std::size_t headdim = 0;
  std::size_t d_state = 0;
  std::size_t ngroups =
      1;  ///< divides n_heads; head h uses B and C of group h / (n_heads / ngroups)
  std::size_t head_begin = 0;  ///< only heads [head_begin, head_end) are computed
  std::size_t head_end = 0;

  const float* x = nullptr;  ///< [seqlen, n_heads * headdim]
  std::size_t x_stride = 0;
  const float* dt = nullptr;  ///< [seqlen, n_heads]
  std::size_t dt_stride = 0;
  const float* A = nullptr;  ///< [n_heads] = -exp(A_log)
  const float* B = nullptr;  ///< [seqlen, ngroups * d_state]
  std::size_t B_stride = 0;
  const float* C = nullptr;  ///< [seqlen, ngroups * d_state]
  std::size_t C_stride = 0;
  const float* D =
      nullptr;  ///< [n_heads], or [n_heads * headdim] with D_has_hdim, or null: adds D x
  bool D_has_hdim = false;
  const float* z =
      nullptr;  ///< [seqlen, n_heads * headdim] or null: the result is multiplied by SiLU(z)
  std::size_t z_stride = 0;
  const float* dt_bias = nullptr;  ///< [n_heads] or null: added to dt
  bool dt_softplus = false;        ///< softplus of dt + dt_bias
  float dt_limit_min = 0.0F;       ///< dt is then held in [dt_limit_min, dt_limit_max]
  float dt_limit_max = std::numeric_limits<float>::infinity();

  bool reverse = false;     ///< time runs from the last row to the first
  bool accumulate = false;  ///< out += result instead of out = result
  float* state = nullptr;   ///< [n_heads, d_state, headdim], read and written, or null: starts at
                            ///< zero, end dropped
  float* out = nullptr;     ///< [seqlen, n_heads * headdim]; may be x or z itself
  std::size_t out_stride = 0;
};

/// S[t] = exp(dt[t] A) S[t-1] + dt[t] x[t] B[t]^T;  out[t] = (S[t] C[t] + D x[t]) SiLU(z[t]), per
/// head. Reference: mamba_ssm/ops/triton/ssd_chunk_state.py and modules/mamba2.py (`step`). Runs in
/// the calling thread with the active ISA. A result does not depend on how seqlen or the heads are
/// cut into calls, to the bit.
void ssd_scan(const SsdScanArgs& args);

}  // namespace genomamba::kernels
