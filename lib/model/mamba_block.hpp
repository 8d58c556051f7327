// SPDX-License-Identifier: MIT
// One block: residual += mixer(norm(residual)), over the rows of a unit.
#pragma once

#include <cstddef>
#include <span>

#include "block_buffers.hpp"
#include "genomamba/core/executor.hpp"
#include "genomamba/core/span2d.hpp"
#include "genomamba/model/batch.hpp"
#include "mamba_weights.hpp"

namespace genomamba::model {

/// What the blocks of one forward call share.
struct BlockContext {
  const MambaConfig& config;
  const BufferWidths& widths;
  std::span<const Segment> segments;
  BlockBuffers& buffers;
  Executor& executor;
  std::size_t tile_rows = 0;  ///< rows of one round of steps
  std::size_t block_rows =
      0;  ///< rows of one core's share of it; tile_rows is at most executor times this
  std::span<const std::size_t> rows = {};  ///< those that matter behind this block; empty: all
};

/// norm -> in_proj -> conv1d -> SiLU -> x_proj -> dt_proj -> selective_scan -> gate -> out_proj ->
/// residual, for each direction, in rounds of tiles; then the GatedMLP where the model has one.
/// `residual` [batch rows, d_model] is updated. `reverse_strand`: the rows are the reverse
/// complement read backwards, so every direction turns round.
void run_block(const BlockContext& context, const LayerWeights& weights, std::size_t layer,
               RowRange unit, bool reverse_strand, Span2d<float> residual);

}  // namespace genomamba::model
