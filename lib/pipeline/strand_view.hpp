// SPDX-License-Identifier: MIT
// From what the model gives for one or two strands to the vector that --strand asks for (cli.md,
// embed).
#pragma once

#include <span>

#include "genomamba/model/mamba_config.hpp"
#include "genomamba/pipeline/embed_options.hpp"

namespace genomamba::pipeline {

/// Which orientations of a sequence the model has to read.
struct Orientations {
  bool forward = true;
  bool reverse = false;
};
Orientations needed_orientations(const model::MambaConfig& config, Strand strand) noexcept;

/// Writes the output vector. Single-strand models: `forward`, `reverse` [d_model] (the one not
/// needed may be empty). RC-equivariant models: `forward` [2 d_model] as MambaModel::forward gives
/// it: first half the sequence, second half its reverse complement with channels reversed.
void make_strand_vector(const model::MambaConfig& config, Strand strand,
                        std::span<const float> forward, std::span<const float> reverse,
                        std::span<float> out);

}  // namespace genomamba::pipeline
