// SPDX-License-Identifier: MIT
// VariantScratch: memory of one thread that scores variants.
#pragma once

#include <vector>

#include "genomamba/core/aligned_buffer.hpp"
#include "genomamba/core/token.hpp"
#include "genomamba/model/batch.hpp"
#include "genomamba/model/mamba_state.hpp"
#include "genomamba/model/workspace.hpp"

namespace genomamba::pipeline {

struct VariantScratch {
  model::Workspace workspace;
  std::vector<TokenId> tokens;
  std::vector<model::Segment> segments;
  AlignedBuffer<float> hidden;
  AlignedBuffer<float> gathered;
  AlignedBuffer<float> logits;
  std::vector<model::MambaState> site_states;
  std::vector<model::MambaState> run_states;
};

}  // namespace genomamba::pipeline
