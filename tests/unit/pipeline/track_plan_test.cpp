// SPDX-License-Identifier: MIT
// TrackPlan: each position of a track belongs to one region.
#include "track_plan.hpp"

#include <vector>

#include "catch.hpp"

using genomamba::io::Region;
using genomamba::pipeline::TrackPlan;

namespace {

Region region(std::size_t contig, std::uint64_t begin, std::uint64_t end) {
  Region r;
  r.contig = contig;
  r.begin = begin;
  r.end = end;
  return r;
}

}  // namespace

TEST_CASE("TrackPlan: sorted regions without overlap are shown whole") {
  const TrackPlan plan({region(0, 5, 10), region(0, 10, 12), region(2, 0, 3)});
  CHECK(plan.is_sorted());
  CHECK_FALSE(plan.has_overlaps());
  CHECK(plan.part(1).begin == 10);
  CHECK(plan.part(2).offset == 7);
}

TEST_CASE(
    "TrackPlan: the region that begins first has a shared position, whatever the order asked for") {
  const TrackPlan plan(
      {region(1, 0, 4), region(0, 15, 40), region(0, 0, 20), region(0, 10, 30), region(0, 0, 5)});
  CHECK_FALSE(plan.is_sorted());
  CHECK(plan.has_overlaps());
  CHECK(plan.order() == std::vector<std::size_t>{2, 4, 3, 1, 0});
  CHECK(plan.part(2).begin == 0);
  CHECK(plan.part(2).end == 20);
  CHECK(plan.part(4).begin == plan.part(4).end);
  CHECK(plan.part(3).begin == 20);
  CHECK(plan.part(1).begin == 30);
  CHECK(plan.part(1).end == 40);
  CHECK(plan.part(0).offset == 40);
}
