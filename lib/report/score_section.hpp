// SPDX-License-Identifier: MIT
// What a report says about one file of scores. Private to report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "genomamba/report/report.hpp"
#include "html.hpp"
#include "input_kind.hpp"
#include "score_reader.hpp"

namespace genomamba::report {

/// Where a track is shown: links of other tables lead to it.
struct TrackPlace {
  std::string contig;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string id;  ///< of its figure
};

/// `most_bytes`: of the packed values of each track. The tracks' places are added to `places`.
/// Throws InputError, UsageError.
Section score_section(const std::string& path, InputKind kind, ScoreFile file,
                      const std::string& id, const ReportOptions& options, std::size_t most_bytes,
                      std::vector<TrackPlace>& places);

}  // namespace genomamba::report
