// SPDX-License-Identifier: MIT
#include "score_sink.hpp"

#include <algorithm>
#include <limits>

#include "base_log_probs.hpp"

namespace genomamba::pipeline {

ScoreSink::ScoreSink(const std::vector<io::Region>& regions, const ScoreOutputs& outputs,
                     std::size_t n_columns)
    : regions_(regions), outputs_(outputs), n_columns_(n_columns), plan_(regions) {
  if (!plan_.is_sorted() && !outputs_.tracks.empty()) spill_ = std::make_unique<io::SpillFile>();
}

void ScoreSink::begin_regions(std::size_t end) {
  for (; n_begun_ < end; ++n_begun_) {
    for (io::ScoreTableWriter* table : outputs_.tables)
      table->begin_region(regions_[n_begun_]);
  }
}

void ScoreSink::write(std::size_t region, std::uint64_t begin, std::string_view letters,
                      std::span<const float> values) {
  begin_regions(region + 1);
  for (io::ScoreTableWriter* table : outputs_.tables)
    table->write(begin, letters, values);
  if (!outputs_.tracks.empty()) write_tracks(region, begin, letters, values);
}

void ScoreSink::write_tracks(std::size_t region, std::uint64_t begin, std::string_view letters,
                             std::span<const float> values) {
  const TrackPlan::Part& part = plan_.part(region);
  const std::uint64_t from = std::max(begin, part.begin);
  const std::uint64_t to = std::min(begin + letters.size(), part.end);
  if (from >= to) return;
  const auto n = static_cast<std::size_t>(to - from);
  const auto skipped = static_cast<std::size_t>(from - begin);
  column_.resize(n);
  for (std::size_t t = 0; t < outputs_.tracks.size(); ++t) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = skipped + i;
      const bool is_base = base_index(letters[at]) < kBases;
      column_[i] = is_base ? values[at * n_columns_ + outputs_.tracks[t].column]
                           : std::numeric_limits<float>::quiet_NaN();
    }
    if (!spill_) {
      outputs_.tracks[t].writer->write(regions_[region].contig, from, column_);
      continue;
    }
    // Region by region, in each one the tracks one after the other.
    const std::uint64_t length = part.end - part.begin;
    spill_->write(part.offset * outputs_.tracks.size() + t * length + (from - part.begin), column_);
  }
}

void ScoreSink::finish() {
  begin_regions(regions_.size());
  if (!spill_) return;
  constexpr std::uint64_t kPiece = 1 << 16;
  for (const std::size_t region : plan_.order()) {
    const TrackPlan::Part& part = plan_.part(region);
    const std::uint64_t length = part.end - part.begin;
    for (std::size_t t = 0; t < outputs_.tracks.size(); ++t) {
      for (std::uint64_t done = 0; done < length; done += kPiece) {
        column_.resize(static_cast<std::size_t>(std::min(kPiece, length - done)));
        spill_->read(part.offset * outputs_.tracks.size() + t * length + done, column_);
        outputs_.tracks[t].writer->write(regions_[region].contig, part.begin + done, column_);
      }
    }
  }
}

}  // namespace genomamba::pipeline
