// SPDX-License-Identifier: MIT
// Tiles: how a region is cut for a bidirectional model, and the window that each tile is read in.
#pragma once

#include <cstddef>
#include <cstdint>

namespace genomamba::pipeline {

/// Positions [begin, end) are reported, [read_begin, read_end) are read.
struct Tile {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t read_begin = 0;
  std::uint64_t read_end = 0;
};

/// Tiles of step window - overlap from the region's start; the window of a tile begins overlap / 2
/// before it, is moved inside at the ends of the contig, and is shortened only if the contig is
/// shorter. `mirrored`: the same on the other strand, that is from the region's end on; tile
/// numbers still ascend along the contig.
class TilePlan {
 public:
  struct Sizes {
    std::uint64_t window = 0;
    std::uint64_t overlap = 0;  ///< < window
  };
  TilePlan(std::uint64_t begin, std::uint64_t end, std::uint64_t contig_length, Sizes sizes,
           bool mirrored);

  std::uint64_t n_tiles() const noexcept { return n_tiles_; }
  Tile tile(std::uint64_t number) const noexcept;
  /// Number of the tile that holds `position`.
  std::uint64_t number_of(std::uint64_t position) const noexcept;

 private:
  Tile mirror(const Tile& tile) const noexcept;

  std::uint64_t begin_;  ///< in the direction of reading
  std::uint64_t end_;
  std::uint64_t length_;
  std::uint64_t step_;
  std::uint64_t before_;
  std::uint64_t window_;
  bool mirrored_;
  std::uint64_t n_tiles_;
};

}  // namespace genomamba::pipeline
