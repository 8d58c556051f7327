// SPDX-License-Identifier: MIT
// MixerPass: one direction of one mixer over the rows of a unit, step by step.
#pragma once

#include <cstddef>
#include <span>

#include "block_buffers.hpp"
#include "genomamba/model/batch.hpp"
#include "genomamba/model/mamba_state.hpp"
#include "mamba_weights.hpp"
#include "tile_plan.hpp"

namespace genomamba::model {

/// What does not change while a pass walks over its tiles.
struct MixerPass {
  const MambaConfig& config;
  const BufferWidths& widths;
  const DirectionWeights& weights;
  std::span<const Segment> segments;
  std::size_t layer = 0;
  bool reverse = false;     ///< time runs from the last row to the first
  bool accumulate = false;  ///< y += instead of y =: the second direction of a sum
  /// Which carry of the buffers holds the segment that came over from the tile before.
  std::size_t carry_slot = 0;
};

/// A range of channels (Mamba-1) or heads (Mamba-2) that one core scans.
struct Strip {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The carried states of a piece: the caller's MambaState, the carry between tiles, or null for a
/// whole segment.
struct PieceState {
  float* conv = nullptr;
  float* ssm = nullptr;
  bool is_zero = false;  ///< the piece starts a segment without a state of the caller's
  bool is_kept = false;  ///< what comes after the piece needs the state after it
};
PieceState state_of(const MixerPass& pass, const BlockBuffers& buffers, const Piece& piece);

/// Zeroes the carry of pieces that start a segment. Before the blocks of a tile.
void begin_pieces(const MixerPass& pass, const BlockBuffers& buffers,
                  std::span<const Piece> pieces);

/// conv_out = SiLU(conv1d(x)) for the rows of one block; `halo` [d_conv - 1, conv_channels] is the
/// block's own.
void convolve(const MixerPass& pass, const BlockBuffers& buffers, RowRange block,
              std::span<const Piece> pieces, float* halo);

/// Makes the carry of a segment that began in this tile the one that the next tile finds. After all
/// steps of a tile.
void end_pieces(MixerPass& pass, std::span<const Piece> pieces);

/// Keeps the last d_conv - 1 inputs of pieces whose segment goes on. After all blocks of a tile
/// were convolved.
void carry_conv_states(const MixerPass& pass, const BlockBuffers& buffers,
                       std::span<const Piece> pieces);

/// x_dbl = [dt | B | C] = conv_out x_proj^T. Rows of one block.
void mamba1_project(const MixerPass& pass, const BlockBuffers& buffers, RowRange block);
/// y = (C h + D x) SiLU(z) over the rows of a piece, delta = softplus(dt dt_proj^T + bias).
void mamba1_scan(const MixerPass& pass, const BlockBuffers& buffers, const Piece& piece,
                 Strip channels);

/// y_part = C h + D x over the rows of a piece.
void mamba2_scan(const MixerPass& pass, const BlockBuffers& buffers, const Piece& piece,
                 Strip heads);
/// y = RMSNorm(y_part SiLU(z)), over the rows of one block.
void mamba2_gate(const MixerPass& pass, const BlockBuffers& buffers, RowRange block);

}  // namespace genomamba::model
