// SPDX-License-Identifier: MIT
// MambaConfig: sizes and family of a model, from config.json and the shapes of its tensors.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/core/token.hpp"

namespace genomamba::model {

/// A family is a description: which norm, mixer, directions and strands the one graph has.
enum class Norm { kRms, kLayer };
enum class Mixer { kMamba1, kMamba2 };
enum class Direction { kForward, kBidirectionalAdd, kBidirectionalMultiply };
/// kSingle: one stream. kRcSwap / kRcPlain: RC-equivariant, two streams through shared weights, with and without
/// the swap of strand halves in every block (models.md 2(e): fused_add_norm true and false).
enum class Strands { kSingle, kRcSwap, kRcPlain };

/// Names are those of mamba_ssm. Sizes are never zero after load_config.
struct MambaConfig {
  std::string family;  ///< "mamba_ssm Mamba-1", "Hugging Face Mamba", "Caduceus-PS", ...
  Norm norm = Norm::kRms;
  Mixer mixer = Mixer::kMamba1;
  Direction direction = Direction::kForward;
  Strands strands = Strands::kSingle;

  std::size_t d_model = 0;
  std::size_t n_layer = 0;
  std::size_t vocab_size = 0;  ///< rows of the embedding, padding included
  std::size_t true_vocab_size = 0;  ///< before padding; <= vocab_size
  std::size_t d_inner = 0;
  std::size_t d_state = 0;
  std::size_t d_conv = 0;
  std::size_t dt_rank = 0;
  float norm_epsilon = 1e-5F;
  bool tie_embeddings = true;
  std::vector<TokenId> complement_map;  ///< [vocab_size], RC-equivariant models only

  /// Width of an embedding: d_model, or 2 d_model for RC-equivariant models.
  std::size_t hidden_width() const noexcept {
    return strands == Strands::kSingle ? d_model : 2 * d_model;
  }
  bool is_causal() const noexcept { return direction == Direction::kForward; }
};

/// Recognises the family by its tensor names (models.md 1.3) and reads the sizes: shapes decide, config.json must
/// agree. Throws CheckpointError naming the key, or the family that is not supported.
MambaConfig load_config(const checkpoint::ModelDirectory& directory);

}  // namespace genomamba::model
