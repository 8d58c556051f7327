// SPDX-License-Identifier: MIT
// The conv1d step and the states carried from piece to piece.
#include <algorithm>
#include <cstring>

#include "genomamba/kernels/causal_conv1d.hpp"
#include "mixer_pass.hpp"

namespace genomamba::model {
namespace {

/// Row of the batch that lies `time` steps after the piece's first one in the direction of time.
std::size_t row_at(const Piece& piece, std::size_t time, bool reverse) {
  return reverse ? piece.rows.end - 1 - time : piece.rows.begin + time;
}

const float* conv_input(const MixerPass& pass, const BlockBuffers& buffers, std::size_t row) {
  return buffers.xz.row(row) + pass.widths.conv_offset;
}

/// Copies the d_conv - 1 inputs before time step `time` of the piece, oldest first; those before
/// the piece come from its carried state (or are zero). `target` may be the carried state itself: a
/// row is read at or behind the place where it is written.
void copy_history(const MixerPass& pass, const BlockBuffers& buffers, const Piece& piece,
                  std::size_t time, const PieceState& state, float* target) {
  const std::size_t n_rows = pass.config.d_conv - 1;
  const std::size_t width = pass.widths.conv_channels;
  for (std::size_t j = 0; j < n_rows; ++j) {
    float* out = target + j * width;
    if (time + j >= n_rows) {
      const std::size_t row = row_at(piece, time + j - n_rows, pass.reverse);
      std::copy_n(conv_input(pass, buffers, row), width, out);
    } else if (state.conv != nullptr && !state.is_zero) {
      std::memmove(out, state.conv + (time + j) * width, width * sizeof(float));
    } else {
      std::fill_n(out, width, 0.0F);
    }
  }
}

}  // namespace

PieceState state_of(const MixerPass& pass, const BlockBuffers& buffers, const Piece& piece) {
  MambaState* given = pass.segments[piece.segment].state;
  if (given != nullptr) {
    return {given->conv_state(pass.layer), given->ssm_state(pass.layer), false, true};
  }
  if (piece.first && piece.last) return {nullptr, nullptr, true, false};
  const std::size_t slot = piece.first ? 1 - pass.carry_slot : pass.carry_slot;
  return {buffers.carry_conv[slot], buffers.carry_ssm[slot], piece.first, !piece.last};
}

void begin_pieces(const MixerPass& pass, const BlockBuffers& buffers,
                  std::span<const Piece> pieces) {
  for (const Piece& piece : pieces) {
    const PieceState state = state_of(pass, buffers, piece);
    if (state.is_zero && state.ssm != nullptr) {
      std::fill_n(state.ssm, pass.widths.ssm_state, 0.0F);
    }
  }
}

void end_pieces(MixerPass& pass, std::span<const Piece> pieces) {
  for (const Piece& piece : pieces) {
    const bool starts_carry = piece.first && !piece.last;
    if (starts_carry && pass.segments[piece.segment].state == nullptr) {
      pass.carry_slot = 1 - pass.carry_slot;
      return;  // at most one piece of a tile goes on in the next
    }
  }
}

void convolve(const MixerPass& pass, const BlockBuffers& buffers, RowRange block,
              std::span<const Piece> pieces, float* halo) {
  for (const Piece& piece : pieces) {
    const RowRange rows{std::max(piece.rows.begin, block.begin),
                        std::min(piece.rows.end, block.end)};
    if (rows.begin >= rows.end) continue;
    const std::size_t time =
        pass.reverse ? piece.rows.end - rows.end : rows.begin - piece.rows.begin;
    const PieceState state = state_of(pass, buffers, piece);
    const bool has_history = time > 0 || !state.is_zero;
    if (has_history) copy_history(pass, buffers, piece, time, state, halo);
    kernels::causal_conv1d_silu({
        .weights = &pass.weights.conv1d,
        .seqlen = rows.size(),
        .channel_begin = 0,
        .channel_end = pass.widths.conv_channels,
        .x = conv_input(pass, buffers, rows.begin),
        .x_stride = buffers.xz.stride(),
        .out = buffers.conv_out.row(rows.begin),
        .out_stride = buffers.conv_out.stride(),
        .reverse = pass.reverse,
        .state = has_history ? halo : nullptr,
    });
  }
}

void carry_conv_states(const MixerPass& pass, const BlockBuffers& buffers,
                       std::span<const Piece> pieces) {
  for (const Piece& piece : pieces) {
    const PieceState state = state_of(pass, buffers, piece);
    if (state.is_kept) {
      copy_history(pass, buffers, piece, piece.rows.size(), state, state.conv);
    }
  }
}

}  // namespace genomamba::model
