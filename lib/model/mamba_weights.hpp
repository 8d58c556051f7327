// SPDX-License-Identifier: MIT
// MambaWeights: the parameters of one model, packed for the kernels. Filled by load_weights, const
// afterwards.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/core/aligned_buffer.hpp"
#include "genomamba/kernels/causal_conv1d.hpp"
#include "genomamba/kernels/linear.hpp"
#include "genomamba/kernels/selective_scan.hpp"
#include "genomamba/model/mamba_config.hpp"

namespace genomamba::model {

/// norm.weight and, for LayerNorm, norm.bias. An RMSNorm before a projection is folded into it and
/// has no weight.
struct NormWeights {
  AlignedBuffer<float> weight;  ///< [d_model], or empty when folded
  AlignedBuffer<float> bias;    ///< [d_model], or empty
};

/// What each direction of a mixer has for itself.
struct DirectionWeights {
  kernels::ConvWeights
      conv1d;  ///< [d_inner] channels (Mamba-1), [d_inner + 2 ngroups d_state] (Mamba-2)
  // Mamba-1
  kernels::PackedLinear x_proj;  ///< d_inner -> dt_rank + 2 d_state
  kernels::ScanWeights scan;     ///< A, D, dt_proj.weight, and dt_proj.bias as delta_bias
  // Mamba-2
  AlignedBuffer<float> dt_bias;  ///< [n_heads]
  AlignedBuffer<float> A;        ///< [n_heads], -exp(A_log)
  AlignedBuffer<float> D;        ///< [n_heads] or [d_inner]
  AlignedBuffer<float> norm;     ///< [d_inner], gated RMSNorm; empty: the gate alone
};

/// Index 0 runs forward in time, 1 backward. With tied projections only index 0 of in_proj and
/// out_proj is filled.
struct MixerWeights {
  kernels::PackedLinear in_proj[2];
  kernels::PackedLinear out_proj[2];
  DirectionWeights direction[2];
};

/// Gated MLP of mamba_ssm (d_intermediate > 0): fc2(y * SiLU(gate)), [y | gate] =
/// fc1(norm2(residual)).
struct MlpWeights {
  NormWeights norm2;
  kernels::PackedLinear fc1;  ///< d_model -> 2 d_intermediate
  kernels::PackedLinear fc2;  ///< d_intermediate -> d_model
};

struct LayerWeights {
  NormWeights norm;
  MixerWeights mixer;
  MlpWeights mlp;
};

struct MambaWeights {
  AlignedBuffer<float> embedding;  ///< [vocab_size, d_model]
  /// [2, d_model]: what the codon and exon tracks of a six-track model add to a row.
  AlignedBuffer<float> track_embedding;
  std::vector<LayerWeights> layers;
  NormWeights norm_f;
  kernels::PackedLinear lm_head;  ///< d_model -> vocab_size
  /// RC-equivariant models: for the second half, rows permuted by complement_map and columns
  /// reversed.
  kernels::PackedLinear lm_head_rc;
  std::vector<std::string> unused_tensors;
  std::size_t n_bytes = 0;  ///< of everything above, panel padding not counted
};

/// Throws CheckpointError: a tensor missing or misshapen, a value not finite, tied copies that
/// differ.
MambaWeights load_weights(const checkpoint::ModelDirectory& directory, const MambaConfig& config);

}  // namespace genomamba::model
