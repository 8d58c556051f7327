// SPDX-License-Identifier: MIT
// ScoreSink: the serial end of the pipeline: values of regions to tables and tracks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "genomamba/io/spill_file.hpp"
#include "genomamba/pipeline/score_pipeline.hpp"
#include "track_plan.hpp"

namespace genomamba::pipeline {

/// One thread at a time. Regions come in the order asked for, their positions ascending and
/// complete.
class ScoreSink {
 public:
  ScoreSink(const std::vector<io::Region>& regions, const ScoreOutputs& outputs,
            std::size_t n_columns);

  void write(std::size_t region, std::uint64_t begin, std::string_view letters,
             std::span<const float> values);
  /// Announces the regions that are left and writes tracks that had to wait.
  void finish();

  const TrackPlan& plan() const noexcept { return plan_; }

 private:
  void begin_regions(std::size_t end);
  void write_tracks(std::size_t region, std::uint64_t begin, std::string_view letters,
                    std::span<const float> values);

  const std::vector<io::Region>& regions_;
  const ScoreOutputs& outputs_;
  std::size_t n_columns_;
  TrackPlan plan_;
  std::size_t n_begun_ = 0;
  std::unique_ptr<io::SpillFile> spill_;  ///< values of tracks whose regions are not sorted
  std::vector<float> column_;
};

}  // namespace genomamba::pipeline
