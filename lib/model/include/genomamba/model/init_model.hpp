// SPDX-License-Identifier: MIT
// init_model: random weights in a family's published layout, for tests and timing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/checkpoint/safetensors_writer.hpp"

namespace genomamba::model {

/// "mamba1", "mamba2" (mamba_ssm layout), "hf-mamba", "hf-mamba2", "falcon-mamba", "caduceus" (Ph,
/// PS and PlantCaduceus: config.json's rcps, bidirectional, ... decide), "caduceus-mamba2"
/// (PlantCAD2), "orthrus" (config.json's n_tracks is 4 or 6).
std::span<const std::string_view> init_families() noexcept;

struct InitOptions {
  std::string family;
  std::string config_path;  ///< a config.json that states every size
  std::uint64_t seed = 0;
};

/// Initialises as mamba_ssm does (A_log = log(1..d_state), D = 1, dt_proj.bias such that dt lies
/// between 0.001 and 0.1, Kaiming uniform projections, out_proj divided by sqrt(n_layer)). The same
/// options give the same bytes on every platform. Throws UsageError for an unknown family,
/// CheckpointError for a config that lacks a size, or whose sizes make no model of the family.
std::vector<checkpoint::NamedArray> init_model(const InitOptions& options);

}  // namespace genomamba::model
