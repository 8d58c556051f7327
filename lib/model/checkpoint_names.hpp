// SPDX-License-Identifier: MIT
// CheckpointNames: how one checkpoint calls its tensors, and the family that this tells
// (models.md 1.3).
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "genomamba/checkpoint/tensor_source.hpp"

namespace genomamba::model {

/// Full names, whatever prefix (`module.`, `model.`, `caduceus.`) the file puts before them.
struct CheckpointNames {
  std::string base;       ///< before "layers.0.": "backbone.", "module.caduceus.backbone.", ""
  std::string embedding;  ///< the embedding's weight; empty when only the tied lm_head is stored
  std::string lm_head;    ///< lm_head.weight; empty when it is not stored
  std::string mixer;      ///< "mixer.", "mixer.mamba_fwd.", "mixer.submodule.mamba_fwd."
  std::string mixer_rev;  ///< the same for mamba_rev; empty when there is no reverse direction
  std::string norm;       ///< "norm.", "norm.submodule."
  std::string norm_f;     ///< "backbone.norm_f.", with submodule where the file has it
  std::string complement_map;  ///< int64 tensor; empty when there is none

  bool is_rcps = false;        ///< mixers stand under `submodule`
  bool has_mamba_fwd = false;  ///< Caduceus' BiMambaWrapper
  bool has_norm_submodule = false;
  bool is_mamba2 = false;
  bool has_linear_input = false;  ///< embedding.bias: Orthrus
  bool has_mlp = false;

  /// "backbone.layers.3.mixer.A_log" for (3, "mixer.A_log").
  std::string layer(std::size_t index, std::string_view rest) const;
};

/// Throws CheckpointError: not a Mamba-family checkpoint, or a family that is recognised but not
/// supported.
CheckpointNames find_names(const checkpoint::TensorSource& weights);

}  // namespace genomamba::model
