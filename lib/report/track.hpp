// SPDX-License-Identifier: MIT
// Track: the values of one score along one region, and what is remarkable in them. Private to
// report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace genomamba::report {

/// Positions [begin, begin + values.size()) of a contig, 0-based; NaN: no value.
struct Track {
  std::string source;  ///< the file
  std::string score;   ///< "logp", "entropy", ...
  std::string contig;
  std::string region;  ///< its name, if it has one
  std::uint64_t begin = 0;
  std::vector<float> values;
  std::string letters;  ///< one a value; empty: not known

  std::uint64_t end() const { return begin + values.size(); }
  /// "contig:start-end", 1-based inclusive.
  std::string locus() const;
};

/// Mean of the values in the `window` positions around each (fewer at the ends); NaN where there is
/// none. [values]
std::vector<double> running_mean(std::span<const float> values, std::size_t window);

/// A stretch whose running mean lies below the threshold; 0-based half-open, within its contig.
struct Dip {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t lowest_at = 0;
  double lowest = 0;  ///< of the running mean
};

struct Dips {
  double median = 0;      ///< of the running mean
  double threshold = 0;   ///< median - 3 * 1.4826 * median absolute deviation
  std::vector<Dip> dips;  ///< the deepest first
};

/// 1.4826 makes the deviation that of a normal distribution. None where all means are the same.
Dips find_dips(const Track& track, std::span<const double> means);

/// Means of `step` consecutive values (the last of fewer); NaN where there is none.
std::vector<float> reduced(std::span<const float> values, std::size_t step);

}  // namespace genomamba::report
