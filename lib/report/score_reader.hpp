// SPDX-License-Identifier: MIT
// Tracks from files of scores: TSV of genomamba score, bedGraph, bigWig. Private to report.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "genomamba/report/report.hpp"
#include "input_kind.hpp"
#include "track.hpp"

namespace genomamba::report {

struct ScoreFile {
  std::vector<std::string> provenance;  ///< without "##"; a bigWig has none
  std::vector<Track> tracks;            ///< region by region, its scores after one another
  std::vector<std::string> remarks;     ///< what is not shown, and why
};

/// The regions asked for, or else the first 8 that the file holds (rows of one region; without
/// names, runs without a gap of more than 100 positions), each up to 2,000,000 positions. Throws
/// InputError: a row that cannot be read; UsageError: a column that does not exist.
ScoreFile read_scores(const std::string& path, InputKind kind, const ReportOptions& options);

}  // namespace genomamba::report
