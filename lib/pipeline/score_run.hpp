// SPDX-License-Identifier: MIT
// ScoreRun: what the causal and the bidirectional run have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "causal_scorer.hpp"
#include "genomamba/pipeline/score_pipeline.hpp"
#include "runner.hpp"
#include "score_letters.hpp"
#include "score_values.hpp"
#include "strand_merger.hpp"
#include "thread_scratch.hpp"

namespace genomamba::pipeline {

/// A sequence of more tokens than this many batches is computed by all cores together.
inline constexpr std::size_t kLongBatches = 16;

/// Which strands of a region the model reads.
struct StrandNeeds {
  bool forward = true;
  bool reverse = false;
  bool both() const noexcept { return forward && reverse; }
};
StrandNeeds strand_needs(const ScoreOptions& options, const model::MambaConfig& config,
                         const io::Region& region) noexcept;

/// Where values of a region's positions go, in ascending order.
using WriteBlock = std::function<void(std::size_t region, std::uint64_t begin,
                                      std::string_view letters, std::span<const float> values)>;

/// Everything a run works with. Stages that read and write are serial; `values` and the scorers are
/// immutable.
struct ScoreRun {
  const ScoreOptions& options;
  const LoadedModel& model;
  const io::ReferenceReader& reference;
  const std::vector<io::Region>& regions;
  ScoreLetters& letters;
  Runner& runner;
  ScoreProgress* progress;
  ThreadScratch<ScoreScratch> scratches{};
  ScoreCounts counts{};

  const io::Contig& contig_of(std::size_t region) const {
    return reference.contigs()[regions[region].contig];
  }
  std::size_t long_tokens() const noexcept { return kLongBatches * options.batch_tokens; }
  void report(std::uint64_t n_positions, std::uint64_t n_tokens);
};

/// Merges strands, computes values, writes: the end of every run.
class BlockEmitter {
 public:
  BlockEmitter(const ScoreOptions& options, ScoreCounts& counts, WriteBlock write);

  void add(const ScorePiece& piece, bool is_merged) { merger_.add(piece, is_merged); }
  /// Distributions of consecutive positions of a region, as StrandMerger gives them.
  void emit(std::size_t region, std::uint64_t begin, std::string_view letters,
            std::span<const float> forward, std::span<const float> reverse);

 private:
  ScoreValues values_;
  ScoreCounts& counts_;
  WriteBlock write_;
  StrandMerger merger_;
  std::vector<float> buffer_;
};

/// Runs all regions of a causal or a bidirectional model and gives their values to `write`.
void run_causal(ScoreRun& run, const WriteBlock& write);
void run_windows(ScoreRun& run, const WriteBlock& write);

}  // namespace genomamba::pipeline
