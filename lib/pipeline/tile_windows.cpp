// SPDX-License-Identifier: MIT
#include "tile_windows.hpp"

#include <algorithm>
#include <cassert>

namespace genomamba::pipeline {

TilePlan::TilePlan(std::uint64_t begin, std::uint64_t end, std::uint64_t contig_length, Sizes sizes,
                   bool mirrored)
    : begin_(mirrored ? contig_length - end : begin),
      end_(mirrored ? contig_length - begin : end),
      length_(contig_length),
      step_(sizes.window - sizes.overlap),
      before_(sizes.overlap / 2),
      window_(std::min(sizes.window, contig_length)),
      mirrored_(mirrored),
      n_tiles_((end - begin + step_ - 1) / step_) {
  assert(sizes.overlap < sizes.window && end <= contig_length);
}

Tile TilePlan::mirror(const Tile& tile) const noexcept {
  return {length_ - tile.end, length_ - tile.begin, length_ - tile.read_end,
          length_ - tile.read_begin};
}

Tile TilePlan::tile(std::uint64_t number) const noexcept {
  const std::uint64_t k = mirrored_ ? n_tiles_ - 1 - number : number;
  Tile tile;
  tile.begin = begin_ + k * step_;
  tile.end = std::min(tile.begin + step_, end_);
  tile.read_begin = tile.begin > before_ ? tile.begin - before_ : 0;
  tile.read_begin = std::min(tile.read_begin, length_ - window_);
  tile.read_end = tile.read_begin + window_;
  return mirrored_ ? mirror(tile) : tile;
}

std::uint64_t TilePlan::number_of(std::uint64_t position) const noexcept {
  const std::uint64_t place = mirrored_ ? length_ - 1 - position : position;
  const std::uint64_t k = (place - begin_) / step_;
  return mirrored_ ? n_tiles_ - 1 - k : k;
}

}  // namespace genomamba::pipeline
