// SPDX-License-Identifier: MIT
#include "tile_plan.hpp"

#include <algorithm>

namespace genomamba::model {

std::vector<RowRange> plan_units(std::span<const Segment> segments, std::size_t min_rows,
                                 bool whole_segments) {
  std::vector<RowRange> units;
  if (segments.empty()) return units;
  RowRange unit{segments.front().begin, segments.front().begin};
  for (const Segment& segment : segments) {
    unit.end = segment.begin + segment.length;
    if (whole_segments && unit.size() >= min_rows) {
      units.push_back(unit);
      unit.begin = unit.end;
    }
  }
  if (unit.size() > 0) units.push_back(unit);
  return units;
}

std::vector<RowRange> plan_tiles(RowRange unit, std::size_t tile_rows, bool reverse) {
  std::vector<RowRange> tiles;
  if (reverse) {
    for (std::size_t end = unit.end; end > unit.begin;) {
      const std::size_t begin = end - std::min(tile_rows, end - unit.begin);
      tiles.push_back({begin, end});
      end = begin;
    }
    return tiles;
  }
  return plan_blocks(unit, tile_rows);
}

std::vector<RowRange> plan_blocks(RowRange tile, std::size_t block_rows) {
  std::vector<RowRange> blocks;
  for (std::size_t begin = tile.begin; begin < tile.end; begin += block_rows) {
    blocks.push_back({begin, std::min(begin + block_rows, tile.end)});
  }
  return blocks;
}

std::vector<RowRange> plan_wanted(RowRange tile, std::size_t block_rows,
                                  std::span<const std::size_t> rows) {
  if (rows.empty()) return plan_blocks(tile, block_rows);
  std::vector<RowRange> wanted;
  for (auto row = std::lower_bound(rows.begin(), rows.end(), tile.begin);
       row != rows.end() && *row < tile.end; ++row) {
    wanted.push_back({*row, *row + 1});
  }
  return wanted;
}

bool is_wanted(const Piece& piece, const Segment& segment, std::span<const std::size_t> rows,
               bool reverse) {
  const std::size_t begin = reverse ? segment.begin : piece.rows.begin;
  const std::size_t end = reverse ? piece.rows.end : segment.begin + segment.length;
  const auto row = std::lower_bound(rows.begin(), rows.end(), begin);
  return row != rows.end() && *row < end;
}

std::vector<Piece> plan_pieces(std::span<const Segment> segments, RowRange tile, bool reverse) {
  std::vector<Piece> pieces;
  // The first segment that ends behind the tile's begin.
  auto at = std::partition_point(segments.begin(), segments.end(), [&](const Segment& segment) {
    return segment.begin + segment.length <= tile.begin;
  });
  for (; at != segments.end() && at->begin < tile.end; ++at) {
    if (at->length == 0) continue;
    const RowRange whole{at->begin, at->begin + at->length};
    Piece piece;
    piece.rows = {std::max(whole.begin, tile.begin), std::min(whole.end, tile.end)};
    piece.segment = static_cast<std::size_t>(at - segments.begin());
    const bool has_begin = piece.rows.begin == whole.begin;
    const bool has_end = piece.rows.end == whole.end;
    piece.first = reverse ? has_end : has_begin;
    piece.last = reverse ? has_begin : has_end;
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace genomamba::model
