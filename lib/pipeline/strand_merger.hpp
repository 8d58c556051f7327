// SPDX-License-Identifier: MIT
// StrandMerger: pieces of one region, of one strand or both, to blocks of ascending positions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "score_piece.hpp"

namespace genomamba::pipeline {

/// Each strand's pieces ascend without gaps; the strands may be cut differently. One thread at a
/// time.
class StrandMerger {
 public:
  /// Distributions of consecutive positions; the span of a strand that is not wanted is empty.
  using Emit = std::function<void(std::size_t region, std::uint64_t begin, std::string_view letters,
                                  std::span<const float> forward, std::span<const float> reverse)>;

  explicit StrandMerger(Emit emit) : emit_(std::move(emit)) {}

  /// `is_merged`: the region has pieces of both strands; they come out together.
  void add(const ScorePiece& piece, bool is_merged);

 private:
  struct Side {
    std::string letters;
    std::vector<float> ln_p;
  };

  Emit emit_;
  std::size_t region_ = 0;
  std::uint64_t begin_ = 0;  ///< position of the first letter held
  Side forward_;
  Side reverse_;
};

/// The letters of the reported positions.
std::string_view reported_letters(const ScorePiece& piece);

}  // namespace genomamba::pipeline
