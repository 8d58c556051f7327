// SPDX-License-Identifier: MIT
// MambaConfig: sizes and family of a model, from config.json and the shapes of its tensors.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/core/token.hpp"

namespace genomamba::model {

/// A family is a description: which norm, mixer, directions and strands the one graph has.
enum class Norm { kRms, kLayer };
enum class Mixer { kMamba1, kMamba2 };
enum class Direction { kForward, kBidirectionalAdd, kBidirectionalMultiply };
/// kSingle: one stream. kRcSwap / kRcPlain: RC-equivariant, two streams through shared weights,
/// with and without the swap of strand halves in every block (models.md 2(e): fused_add_norm true
/// and false).
enum class Strands { kSingle, kRcSwap, kRcPlain };

/// Names are those of mamba_ssm. Sizes are never zero after load_config, except where said.
struct MambaConfig {
  std::string family;  ///< "mamba_ssm Mamba-1", "Hugging Face Mamba", "Caduceus-PS", ...
  Norm norm = Norm::kRms;
  Mixer mixer = Mixer::kMamba1;
  Direction direction = Direction::kForward;
  Strands strands = Strands::kSingle;

  std::size_t d_model = 0;
  std::size_t n_layer = 0;
  std::size_t vocab_size = 0;       ///< rows of the embedding, padding included
  std::size_t true_vocab_size = 0;  ///< before padding; <= vocab_size
  std::size_t d_inner = 0;
  std::size_t d_state = 0;
  std::size_t d_conv = 0;
  std::size_t dt_rank = 0;  ///< Mamba-1 only, else 0
  std::size_t d_intermediate =
      0;                     ///< inner width of the GatedMLP behind each mixer; 0: there is none
  std::size_t n_tracks = 0;  ///< channels of a linear one-hot input (Orthrus); 0: tokens
  float norm_epsilon = 1e-5F;
  bool tie_embeddings = true;
  bool has_lm_head = true;               ///< false: hidden states only
  bool bidirectional_weight_tie = true;  ///< both directions share in_proj and out_proj
  std::vector<TokenId> complement_map;   ///< [vocab_size], RC-equivariant models only

  // Mamba-1 of FalconMamba: dt, B and C are RMS-normalised without weight.
  bool mixer_rms = false;
  float mixer_rms_eps = 1e-6F;

  // Mamba-2.
  std::size_t n_heads = 0;  ///< 0 for Mamba-1
  std::size_t headdim = 0;  ///< d_inner / n_heads
  std::size_t ngroups = 1;  ///< head h reads B and C of group h div (n_heads / ngroups)
  float dt_limit_min = 0.0F;
  float dt_limit_max = std::numeric_limits<float>::infinity();
  float mixer_norm_epsilon =
      1e-5F;  ///< of the gated RMSNorm, whose mean is over each group of channels

  /// Width of an embedding: d_model, or 2 d_model for RC-equivariant models.
  std::size_t hidden_width() const noexcept {
    return strands == Strands::kSingle ? d_model : 2 * d_model;
  }
  bool is_bidirectional() const noexcept { return direction != Direction::kForward; }
  /// A position depends on those before it alone, so a sequence can be computed in chunks with a
  /// carried state.
  bool is_causal() const noexcept { return !is_bidirectional() && strands == Strands::kSingle; }
};

/// Recognises the family by its tensor names (models.md 1.3) and reads the sizes: shapes decide,
/// config.json must agree. Throws CheckpointError naming the key, or the family that is not
/// supported.
MambaConfig load_config(const checkpoint::ModelDirectory& directory);

}  // namespace genomamba::model
