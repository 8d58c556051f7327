// SPDX-License-Identifier: MIT
// CausalPlan: in which passes the regions of a causal model are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "score_run.hpp"

namespace genomamba::pipeline {

/// A part of a pass that is reported.
struct PassSegment {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t region = 0;
  std::uint64_t offset = 0;  ///< positions of the segments before it
};

/// One contig read once per strand, chunk by chunk, on all cores. Segments ascend and are disjoint.
struct CausalPass {
  std::size_t contig = 0;
  StrandNeeds needs;
  std::vector<PassSegment> segments;
  std::uint64_t forward_begin = 0;  ///< first base read on the forward strand
  std::uint64_t reverse_end = 0;    ///< one past the first base read on the reverse strand

  std::uint64_t begin() const noexcept { return segments.front().begin; }
  std::uint64_t end() const noexcept { return segments.back().end; }
  std::uint64_t n_positions() const noexcept {
    return segments.back().offset + segments.back().end - segments.back().begin;
  }
};

/// What has to be done for the next region or regions, in the order asked for.
struct CausalStep {
  enum class Kind {
    kPieces,  ///< a short region, computed by one thread
    kPass,    ///< a pass whose segments are regions
    kStored,  ///< a region whose values a shared pass has stored before
  };
  Kind kind = Kind::kPieces;
  std::size_t region = 0;  ///< kPieces, kStored
  CausalPass pass;         ///< kPass
};

/// A shared pass whose regions are not written in its order: its values are stored. Segments are
/// the union of its regions, and `region` of a segment counts segments.
struct StoredPass {
  CausalPass pass;
  std::uint64_t offset = 0;  ///< positions stored before it
};

struct CausalPlan {
  std::vector<StoredPass> stored;
  std::vector<CausalStep> steps;
  std::vector<std::size_t> stored_pass_of;  ///< [regions], kStored: index into stored
};

/// The read ranges of a region: --context bases before its first base on each strand, or all there
/// are.
CausalPass single_pass(const ScoreRun& run, std::size_t region);

/// With --context whole, regions of one contig and strand share one pass.
CausalPlan plan_causal(const ScoreRun& run);

}  // namespace genomamba::pipeline
