// SPDX-License-Identifier: MIT
// score_regions: from regions of a reference to values per position, in bounded memory, on all
// cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "genomamba/core/log.hpp"
#include "genomamba/io/reference_reader.hpp"
#include "genomamba/io/region.hpp"
#include "genomamba/io/score_writer.hpp"
#include "genomamba/pipeline/loaded_model.hpp"
#include "genomamba/pipeline/score_options.hpp"

namespace genomamba::pipeline {

struct ScoreCounts {
  std::uint64_t n_regions = 0;
  std::uint64_t n_positions = 0;  ///< positions of all regions
  std::uint64_t n_done = 0;       ///< positions computed so far, each strand counted
  std::uint64_t n_to_do = 0;
  std::uint64_t n_not_acgt = 0;  ///< positions whose letter is none of A, C, G, T
  std::uint64_t n_tokens = 0;    ///< tokens computed, context, windows and masked copies counted
  std::uint64_t n_iupac = 0;     ///< letters read as N
  std::uint64_t n_uracil = 0;    ///< letters read as T
};

/// What --overlap-check found.
struct OverlapCheck {
  std::size_t n_places = 0;
  double largest = 0;  ///< |difference| of the log-probability of the reference base
  double mean = 0;
};

class ScoreProgress {
 public:
  virtual ~ScoreProgress() = default;
  virtual void update(const ScoreCounts& counts) = 0;
};

/// A track and the column that it shows.
struct ScoreTrack {
  std::size_t column = 0;
  io::ScoreTrackWriter* writer = nullptr;
};

/// Writers are the caller's, who finishes them. Tables get the regions as asked; tracks their
/// union, sorted.
struct ScoreOutputs {
  std::vector<io::ScoreTableWriter*> tables;
  std::vector<ScoreTrack> tracks;
};

/// Fills in what the user left open. Throws UsageError for options that do not fit the model or
/// each other, and when the memory budget is too small.
ScoreOptions complete_score_options(ScoreOptions options, const LoadedModel& model);

/// Bytes at the peak for these complete options.
std::size_t estimate_score_memory(const ScoreOptions& options, const LoadedModel& model);

/// Windows (bidirectional) or passes (causal) that these regions take.
std::uint64_t count_windows(const ScoreOptions& options, const LoadedModel& model,
                            const io::ReferenceReader& reference,
                            const std::vector<io::Region>& regions);

/// Scores every position of `regions` and writes it. Throws InputError naming contig and position
/// of a bad letter, OutputError, Error. What is written depends neither on n_threads nor on
/// batch_tokens. Of a position that lies in several regions, tracks show the value of the region
/// that begins first (of those, the one asked for first).
ScoreCounts score_regions(const ScoreOptions& options, const LoadedModel& model,
                          io::ReferenceReader& reference, const std::vector<io::Region>& regions,
                          const ScoreOutputs& outputs, LogSink& log, ScoreProgress* progress);

/// Bidirectional models: scores options.overlap_check random places of the regions, each by two
/// windows, with the overlap and with twice that. The places depend on the regions alone.
OverlapCheck check_overlap(const ScoreOptions& options, const LoadedModel& model,
                           io::ReferenceReader& reference, const std::vector<io::Region>& regions);

}  // namespace genomamba::pipeline
