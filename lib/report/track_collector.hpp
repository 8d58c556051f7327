// SPDX-License-Identifier: MIT
// TrackCollector: makes tracks of values that come in the order of a file. Private to report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/io/region_text.hpp"
#include "track.hpp"

namespace genomamba::report {

/// Tracks of the same region are neighbours, one a score.
class TrackCollector {
 public:
  /// `regions` empty: the first ones of the file.
  TrackCollector(std::string source, std::vector<std::string> scores,
                 std::vector<io::NamedRegion> regions);

  /// Values [scores] that hold for [begin, end) of a contig. `region`: the row's name of its
  /// region, empty if the file has none. `letter`: '\0' if not known. False: no more is wanted.
  bool take(std::string_view contig, std::uint64_t begin, std::uint64_t end,
            std::string_view region, char letter, std::span<const float> values);

  /// The tracks, none without any value; what was left out goes to `remarks`.
  std::vector<Track> finish(std::vector<std::string>& remarks);

 private:
  void start(std::string_view contig, std::uint64_t begin, std::string_view region);
  void put(std::size_t group, std::uint64_t begin, std::uint64_t end, char letter,
           std::span<const float> values);
  bool take_next(std::string_view contig, std::uint64_t begin, std::uint64_t end,
                 std::string_view region, char letter, std::span<const float> values);

  std::string source_;
  std::vector<std::string> scores_;
  std::vector<io::NamedRegion> regions_;
  std::vector<Track> tracks_;
  std::uint64_t reached_ = 0;    ///< end of the last row
  std::uint64_t n_skipped_ = 0;  ///< positions past the part that is shown
  bool is_cut_ = false;
  bool has_more_ = false;
};

}  // namespace genomamba::report
