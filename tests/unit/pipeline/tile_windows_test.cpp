// SPDX-License-Identifier: MIT
// TilePlan: the tiling rules of score's windows.
#include "tile_windows.hpp"

#include "catch.hpp"

using genomamba::pipeline::Tile;
using genomamba::pipeline::TilePlan;

TEST_CASE(
    "Tiles: steps from the region's start, flanks read, windows moved inside, shortened only on "
    "short contigs") {
  const TilePlan plan(100, 250, 400, {64, 16}, false);
  REQUIRE(plan.n_tiles() == 4);  // steps of 48
  const Tile first = plan.tile(0);
  CHECK(first.begin == 100);
  CHECK(first.end == 148);
  CHECK(first.read_begin == 92);
  CHECK(first.read_end == 156);
  CHECK(plan.tile(3).end == 250);
  CHECK(plan.tile(3).read_begin == 236);
  const TilePlan whole(0, 400, 400, {64, 16}, false);
  CHECK(whole.tile(0).read_begin == 0);
  CHECK(whole.tile(0).read_end == 64);
  CHECK(whole.tile(whole.n_tiles() - 1).read_end == 400);
  CHECK(whole.tile(whole.n_tiles() - 1).read_begin == 336);
  const TilePlan brief(3, 30, 40, {64, 16}, false);
  CHECK(brief.n_tiles() == 1);
  CHECK(brief.tile(0).read_begin == 0);
  CHECK(brief.tile(0).read_end == 40);
}

TEST_CASE(
    "Tiles cover a region once, each inside its window, mirrored ones are those of the other "
    "strand") {
  for (const std::uint64_t length : {1U, 7U, 64U, 100U, 131U}) {
    for (const std::uint64_t window : {1U, 8U, 33U, 64U}) {
      for (const std::uint64_t overlap : {std::uint64_t{0}, window / 4, window / 2, window - 1}) {
        for (std::uint64_t begin = 0; begin < length; begin += 13) {
          const TilePlan plan(begin, length, length, {window, overlap}, false);
          const TilePlan mirror(0, length - begin, length, {window, overlap}, true);
          REQUIRE(plan.n_tiles() == mirror.n_tiles());
          std::uint64_t next = begin;
          for (std::uint64_t i = 0; i < plan.n_tiles(); ++i) {
            const Tile tile = plan.tile(i);
            REQUIRE(tile.begin == next);
            REQUIRE(tile.end > tile.begin);
            REQUIRE(tile.read_begin <= tile.begin);
            REQUIRE(tile.read_end >= tile.end);
            REQUIRE(tile.read_end - tile.read_begin == std::min(window, length));
            REQUIRE(tile.read_end <= length);
            REQUIRE(plan.number_of(tile.begin) == i);
            REQUIRE(plan.number_of(tile.end - 1) == i);
            const Tile other = mirror.tile(plan.n_tiles() - 1 - i);
            REQUIRE(other.begin == length - tile.end);
            REQUIRE(other.read_begin == length - tile.read_end);
            REQUIRE(mirror.number_of(other.begin) == plan.n_tiles() - 1 - i);
            next = tile.end;
          }
          REQUIRE(next == length);
        }
      }
    }
  }
}
