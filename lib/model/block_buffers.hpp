// SPDX-License-Identifier: MIT
// BlockBuffers: the scratch of one pass over a layer, laid out in a Workspace.
#pragma once

#include <cstddef>

#include "genomamba/core/span2d.hpp"
#include "genomamba/model/mamba_config.hpp"
#include "genomamba/model/workspace.hpp"
#include "tile_plan.hpp"

namespace genomamba::model {

/// Scratch matrices whose row i belongs to batch row `first_row` + i.
class RowBuffer {
 public:
  RowBuffer() = default;
  explicit RowBuffer(Span2d<float> rows) : rows_(rows) {}

  void set_first_row(std::size_t first_row) { first_row_ = first_row; }
  Span2d<float> rows(RowRange range) const {
    return rows_.row_block(range.begin - first_row_, range.size());
  }
  float* row(std::size_t batch_row) const { return rows_.row_data(batch_row - first_row_); }
  std::size_t stride() const { return rows_.stride(); }

 private:
  Span2d<float> rows_;
  std::size_t first_row_ = 0;
};

/// Widths of the buffers of a model, in floats.
struct BufferWidths {
  explicit BufferWidths(const MambaConfig& config);

  std::size_t in_proj = 0;        ///< [x | z], or [z | xBC | dt]
  std::size_t conv_offset = 0;    ///< where the conv's input begins in a row of in_proj's output
  std::size_t conv_channels = 0;  ///< d_inner, or d_inner + 2 ngroups d_state
  std::size_t x_dbl = 0;          ///< dt_rank + 2 d_state; Mamba-1 only
  std::size_t d_inner = 0;
  std::size_t d_model = 0;
  std::size_t mlp = 0;  ///< 2 d_intermediate
  bool is_layer_norm = false;
  bool keeps_unit =
      false;             ///< tied bidirectional: in_proj's output is kept for the second direction
  bool keeps_y = false;  ///< tied add: so is y
  bool keeps_out = false;  ///< otherwise bidirectional: the first direction's out_proj is kept
  bool multiplies = false;
  std::size_t halo = 0;       ///< (d_conv - 1) conv_channels
  std::size_t ssm_state = 0;  ///< one direction's carried state
};

/// Rows of one core's share of a tile: enough to reuse a weight panel, few enough that the
/// intermediates of a block stay in the caches.
std::size_t choose_block_rows(const BufferWidths& widths);

/// Rows of a tile for a batch of `n_tokens`: a block, or two for each of several cores.
std::size_t choose_tile_rows(std::size_t block_rows, std::size_t n_tokens, std::size_t concurrency);

/// Bytes of a workspace for a batch of `n_tokens`, at most.
std::size_t workspace_bytes(const MambaConfig& config, std::size_t n_tokens,
                            std::size_t concurrency);

struct BlockBuffers {
  RowBuffer normed;        ///< [tile, d_model]: LayerNorm's output
  RowBuffer row_scale;     ///< [tile, 1]: the folded RMSNorm
  RowBuffer xz;            ///< [tile or unit, in_proj]
  RowBuffer conv_out;      ///< [tile, conv_channels]
  RowBuffer x_dbl;         ///< [tile, x_dbl]
  RowBuffer y;             ///< [tile or unit, d_inner]
  RowBuffer y_part;        ///< [tile, d_inner]: Mamba-2's scan before norm and sum
  RowBuffer out_first;     ///< [unit, d_model]
  RowBuffer out_part;      ///< [tile, d_model]
  RowBuffer mlp;           ///< [tile, 2 d_intermediate]
  float* halos = nullptr;  ///< [blocks of a tile, halo]
  /// [halo] and [ssm_state] of a segment that continues in the next tile. Two of each: in one tile
  /// a segment from the tile before may end and another begin that goes on in the next.
  float* carry_conv[2] = {nullptr, nullptr};
  float* carry_ssm[2] = {nullptr, nullptr};

  /// Floats needed for tiles and units of these sizes.
  static std::size_t size(const BufferWidths& widths, std::size_t tile_rows, std::size_t unit_rows,
                          std::size_t n_halos);
  static BlockBuffers lay_out(const BufferWidths& widths, std::size_t tile_rows,
                              std::size_t unit_rows, std::size_t n_halos, Workspace& workspace);

  void begin_unit(std::size_t first_row);
  void begin_tile(std::size_t first_row);

 private:
  static std::size_t place(const BufferWidths& widths, std::size_t tile_rows, std::size_t unit_rows,
                           std::size_t n_halos, float* memory, BlockBuffers& buffers);
  bool unit_xz_ = false;
  bool unit_y_ = false;
};

}  // namespace genomamba::model
