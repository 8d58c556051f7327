// SPDX-License-Identifier: MIT
#include "track_plan.hpp"

#include <algorithm>
#include <numeric>

namespace genomamba::pipeline {

TrackPlan::TrackPlan(const std::vector<io::Region>& regions)
    : parts_(regions.size()), order_(regions.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto is_before = [&](std::size_t a, std::size_t b) {
    return regions[a].contig != regions[b].contig ? regions[a].contig < regions[b].contig
                                                  : regions[a].begin < regions[b].begin;
  };
  is_sorted_ = std::is_sorted(order_.begin(), order_.end(), is_before);
  std::stable_sort(order_.begin(), order_.end(), is_before);
  std::uint64_t offset = 0;
  std::uint64_t covered = 0;
  std::size_t contig = 0;
  for (const std::size_t r : order_) {
    const io::Region& region = regions[r];
    if (region.contig != contig) covered = 0;
    contig = region.contig;
    if (region.begin < covered && region.length() > 0) has_overlaps_ = true;
    const std::uint64_t begin = std::min(std::max(region.begin, covered), region.end);
    parts_[r] = {begin, region.end, offset};
    offset += region.end - begin;
    covered = std::max(covered, region.end);
  }
}

}  // namespace genomamba::pipeline
