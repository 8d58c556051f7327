// SPDX-License-Identifier: MIT
// TrackPlan: which positions of each region a track shows, so that each position has one value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "genomamba/io/region.hpp"

namespace genomamba::pipeline {

/// A position belongs to the region that begins first among those that hold it (of equal ones, the
/// first asked for).
class TrackPlan {
 public:
  explicit TrackPlan(const std::vector<io::Region>& regions);

  /// The part of a region that tracks show; may be empty.
  struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;  ///< positions of all parts before it, in track order
  };
  const Part& part(std::size_t region) const { return parts_[region]; }
  /// Regions in track order: by contig, then begin.
  const std::vector<std::size_t>& order() const noexcept { return order_; }
  /// True if the regions were asked for in track order.
  bool is_sorted() const noexcept { return is_sorted_; }
  /// True if a position lies in several regions.
  bool has_overlaps() const noexcept { return has_overlaps_; }

 private:
  std::vector<Part> parts_;
  std::vector<std::size_t> order_;
  bool is_sorted_ = true;
  bool has_overlaps_ = false;
};

}  // namespace genomamba::pipeline
