// SPDX-License-Identifier: MIT
// KernelTable: one instruction set's kernels as plain function pointers, and the layouts they want.
//
// Per-ISA files include this header, so it holds plain data only: no std templates (rule K2 of
// ARCHITECTURE).
#pragma once

#include <cstddef>

namespace genomamba::kernels {

/// Channels of one cache strip of the scan: time runs inside, strips outside. A multiple of every
/// scan group.
inline constexpr std::size_t kScanStrip = 64;

/// Independent chains of the multiply-add peak loop.
inline constexpr std::size_t kPeakChains = 12;

/// One call of the scan over `channels` channels; all pointers begin at the first of them. Strides
/// are in floats and negative when time runs backwards (the pointers are then at the last row).
struct ScanCall {
  std::size_t seqlen;
  std::size_t channels;
  std::size_t d_state;
  const float* u;  // [seqlen, channels]
  std::ptrdiff_t u_stride;
  const float* delta;  // [seqlen, channels]; unused when dt_r is given
  std::ptrdiff_t delta_stride;
  const float* B;  // [seqlen, d_state]
  std::ptrdiff_t B_stride;
  const float* C;  // [seqlen, d_state]
  std::ptrdiff_t C_stride;
  const float* z;  // [seqlen, channels] or null
  std::ptrdiff_t z_stride;
  float* out;  // [seqlen, channels]
  std::ptrdiff_t out_stride;
  const float* A;            // [groups, d_state, scan_group], times scan_A_scale
  const float* delta_limit;  // [groups * scan_group]: |delta A| stays in the range of exp2 up to
                             // this |delta|
  const float* D;            // [groups * scan_group] or null
  const float* delta_bias;   // [groups * scan_group] or null
  float* state;              // [groups, d_state, scan_group], read and written
  const float*
      dt_r;  // [seqlen, dt_rank] or null: delta = dt_r dt_proj^T, computed inside the strip
  std::ptrdiff_t dt_r_stride;
  std::size_t dt_rank;
  const float* dt_proj;  // [groups, dt_rank, scan_group]
  bool delta_softplus;
  bool accumulate;
};

/// One call of the depthwise convolution; strides as in ScanCall.
struct ConvCall {
  std::size_t seqlen;
  std::size_t channels;
  std::size_t d_conv;
  const float* x;  // [seqlen, channels]
  std::ptrdiff_t x_stride;
  float* out;  // [seqlen, channels]
  std::ptrdiff_t out_stride;
  const float* taps;  // [d_conv, taps_stride]
  std::size_t taps_stride;
  const float* bias;   // [channels]
  const float* state;  // [d_conv - 1, state_stride], oldest row first, or null for zeros; only read
  std::size_t state_stride;
};

/// One call of the Mamba-2 recurrence over heads [head_begin, head_end); strides as in ScanCall.
struct SsdCall {
  std::size_t seqlen;
  std::size_t head_begin;
  std::size_t head_end;
  std::size_t headdim;
  std::size_t d_state;
  std::size_t heads_per_group;
  const float* x;  // [seqlen, n_heads * headdim]
  std::ptrdiff_t x_stride;
  const float* dt;  // [seqlen, n_heads]
  std::ptrdiff_t dt_stride;
  const float* A;  // [n_heads]
  const float* B;  // [seqlen, ngroups * d_state]
  std::ptrdiff_t B_stride;
  const float* C;  // [seqlen, ngroups * d_state]
  std::ptrdiff_t C_stride;
  const float* D;  // [n_heads], [n_heads * headdim] or null
  bool D_has_hdim;
  const float* z;  // [seqlen, n_heads * headdim] or null
  std::ptrdiff_t z_stride;
  const float* dt_bias;  // [n_heads] or null
  bool dt_softplus;
  float dt_min;
  float dt_max;
  bool accumulate;
  float* state;  // [head_end - head_begin, d_state, headdim], read and written
  float* out;    // [seqlen, n_heads * headdim]
  std::ptrdiff_t out_stride;
};

/// One call of a projection over packed weights (linear_layout.hpp).
struct LinearCall {
  const float* x;  // [rows, in_features]
  std::size_t x_stride;
  std::size_t rows;
  std::size_t in_features;
  std::size_t out_features;
  const float* panels;
  const float* bias;       // [out_features] padded to whole panels, or null
  const float* row_scale;  // [rows] or null
  std::size_t silu_begin;
  bool accumulate;
  float* y;  // [rows, out_features]
  std::size_t y_stride;
};

/// One call of a normalisation over rows.
struct NormCall {
  const float* x;  // [rows, d_model]
  std::size_t x_stride;
  std::size_t rows;
  std::size_t d_model;
  const float* weight;  // [d_model]
  const float* bias;    // [d_model] or null
  float eps;
  float* y;  // [rows, d_model]
  std::size_t y_stride;
};

/// One call of the gated RMSNorm of Mamba-2, over groups of d_model / n_groups columns.
struct GatedNormCall {
  NormCall norm;
  const float* z;  // [rows, d_model]
  std::size_t z_stride;
  std::size_t n_groups;
  bool norm_before_gate;
};

/// The kernels of one ISA. Every function is noexcept, single-threaded and re-entrant.
struct KernelTable {
  const char* name;  ///< the word of --isa; a test compares it with what was forced
  std::size_t
      lanes;  ///< floats of a vector; linear panels are 2 or 3 vectors wide (linear_layout.hpp)
  std::size_t scan_group;  ///< channels of one scan group (two vectors); divides kScanStrip
  float scan_A_scale;      ///< log2(e) where exp(delta A) is computed as exp2(delta A'), else 1
  void (*selective_scan)(const ScanCall&) noexcept;
  void (*ssd_scan)(const SsdCall&) noexcept;
  void (*causal_conv1d_silu)(const ConvCall&) noexcept;
  void (*linear)(const LinearCall&) noexcept;
  void (*rms_norm)(const NormCall&) noexcept;
  void (*rms_scale)(const NormCall&, float* scale) noexcept;
  void (*layer_norm)(const NormCall&) noexcept;
  void (*rms_norm_gated)(const GatedNormCall&) noexcept;
  void (*silu)(const float* x, float* y, std::size_t n) noexcept;
  void (*softplus)(const float* x, float* y, std::size_t n) noexcept;
  void (*exp)(const float* x, float* y, std::size_t n) noexcept;
  void (*scan_exp2)(const float* x, float* y,
                    std::size_t n) noexcept;          ///< the decay of the scan, for its tests
  float (*fma_chains)(std::size_t n_steps) noexcept;  ///< n_steps on each of kPeakChains chains
  float (*sum_all)(const float* x, std::size_t n) noexcept;  ///< n a multiple of 1024
};

/// The table of the active ISA (isa.hpp).
const KernelTable& active_table() noexcept;

// One in each ref/ and arch/ file that is built.
extern const KernelTable kRefTable;
extern const KernelTable kBaselineTable;
extern const KernelTable kAvx2Table;
extern const KernelTable kAvx512Table;
extern const KernelTable kNeonTable;

}  // namespace genomamba::kernels
