// SPDX-License-Identifier: MIT
#include "tile_plan.hpp"

#include "catch.hpp"

using namespace genomamba::model;

TEST_CASE("tiles cover a unit in the direction of time") {
  const auto forward = plan_tiles({10, 35}, 10, false);
  REQUIRE(forward.size() == 3);
  CHECK(forward[0].begin == 10);
  CHECK(forward[2].begin == 30);
  CHECK(forward[2].end == 35);
  const auto backward = plan_tiles({10, 35}, 10, true);
  REQUIRE(backward.size() == 3);
  CHECK(backward[0].begin == 25);
  CHECK(backward[0].end == 35);
  CHECK(backward[2].begin == 10);
  CHECK(backward[2].end == 15);
}

TEST_CASE("units hold whole segments") {
  const std::vector<Segment> segments = {{0, 5}, {5, 0}, {5, 30}, {35, 4}, {39, 4}};
  const auto units = plan_units(segments, 10, true);
  REQUIRE(units.size() == 2);
  CHECK(units[0].end == 35);
  CHECK(units[1].end == 43);
  CHECK(plan_units(segments, 10, false).size() == 1);
  CHECK(plan_units({}, 10, true).empty());
}

TEST_CASE("pieces know where their segment begins and ends in time") {
  const std::vector<Segment> segments = {{0, 5}, {5, 0}, {5, 30}, {35, 4}};
  const auto pieces = plan_pieces(segments, {3, 20}, false);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].rows.begin == 3);
  CHECK(pieces[0].rows.end == 5);
  CHECK_FALSE(pieces[0].first);
  CHECK(pieces[0].last);
  CHECK(pieces[1].segment == 2);
  CHECK(pieces[1].first);
  CHECK_FALSE(pieces[1].last);
  const auto reversed = plan_pieces(segments, {3, 20}, true);
  CHECK(reversed[0].first);
  CHECK_FALSE(reversed[0].last);
  CHECK_FALSE(reversed[1].first);
  CHECK(reversed[1].last);
}
