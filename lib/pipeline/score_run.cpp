// SPDX-License-Identifier: MIT
#include "score_run.hpp"

#include <utility>

namespace genomamba::pipeline {

StrandNeeds strand_needs(const ScoreOptions& options, const model::MambaConfig& config,
                         const io::Region& region) noexcept {
  switch (options.strand) {
    case ScoreStrand::kForward:
      return {true, false};
    case ScoreStrand::kReverse:
      return {false, true};
    case ScoreStrand::kBed:
      return {region.strand != '-', region.strand == '-'};
    case ScoreStrand::kMean:
      // An RC-equivariant model gives the same for both strands: one pass is enough.
      return {true, config.strands == model::Strands::kSingle};
  }
  return {};
}

void ScoreRun::report(std::uint64_t n_positions, std::uint64_t n_tokens) {
  counts.n_done += n_positions;
  counts.n_tokens += n_tokens;
  if (progress != nullptr) progress->update(counts);
}

BlockEmitter::BlockEmitter(const ScoreOptions& options, ScoreCounts& counts, WriteBlock write)
    : values_(options),
      counts_(counts),
      write_(std::move(write)),
      merger_([this](std::size_t region, std::uint64_t begin, std::string_view letters,
                     std::span<const float> forward, std::span<const float> reverse) {
        emit(region, begin, letters, forward, reverse);
      }) {}

void BlockEmitter::emit(std::size_t region, std::uint64_t begin, std::string_view letters,
                        std::span<const float> forward, std::span<const float> reverse) {
  buffer_.resize(letters.size() * values_.n_columns());
  values_.compute(letters, forward, reverse, buffer_);
  for (const char c : letters) {
    if (base_index(c) == kBases) ++counts_.n_not_acgt;
  }
  write_(region, begin, letters, buffer_);
}

}  // namespace genomamba::pipeline
