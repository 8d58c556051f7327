// SPDX-License-Identifier: MIT
// How the rows of a batch are cut for one pass over a layer: units, tiles, blocks, pieces.
//
// A unit is a run of whole segments whose intermediate rows are kept together (bidirectional models
// need a whole segment between the two directions). A tile is the run of rows that one round of
// steps works on; a block is the part of a tile that one core takes; a piece is the part of a
// segment inside a tile. Where the cuts fall never changes a result: see "bit for bit" in
// tests/unit/model/forward_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "genomamba/model/batch.hpp"

namespace genomamba::model {

/// Rows [begin, end).
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const noexcept { return end - begin; }
};

/// The part of one segment that lies in a tile.
struct Piece {
  RowRange rows;
  std::size_t segment = 0;  ///< index into the batch's segments
  bool first = false;       ///< it holds the segment's first row in the direction of time
  bool last = false;        ///< it holds the segment's last row in the direction of time
};

/// Consecutive whole segments of at least `min_rows` rows together (the last unit may have fewer),
/// for bidirectional models; all rows at once for causal ones, which keep nothing but the carried
/// state.
std::vector<RowRange> plan_units(std::span<const Segment> segments, std::size_t min_rows,
                                 bool whole_segments);

/// Tiles of `tile_rows` rows (the last one in time shorter), in the direction of time.
std::vector<RowRange> plan_tiles(RowRange unit, std::size_t tile_rows, bool reverse);

/// Blocks of `block_rows` rows, ascending.
std::vector<RowRange> plan_blocks(RowRange tile, std::size_t block_rows);

/// The part of `rows` (ascending) inside a tile, one range a row; no rows: the blocks of the tile.
std::vector<RowRange> plan_wanted(RowRange tile, std::size_t block_rows,
                                  std::span<const std::size_t> rows);

/// True if a row of `rows` (ascending) depends on a row of the piece, or lies in it, when time runs
/// in this direction.
bool is_wanted(const Piece& piece, const Segment& segment, std::span<const std::size_t> rows,
               bool reverse);

/// Pieces of a tile, ascending; empty segments have none.
std::vector<Piece> plan_pieces(std::span<const Segment> segments, RowRange tile, bool reverse);

}  // namespace genomamba::model
