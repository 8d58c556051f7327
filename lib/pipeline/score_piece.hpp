// SPDX-License-Identifier: MIT
// ScorePiece: positions of a region on their way through the pipeline: one strand, letters,
// distributions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runner.hpp"

namespace genomamba::pipeline {

/// Coordinates count on the contig. Report range within read range.
struct ScorePiece {
  std::size_t region = 0;  ///< index of the region that it belongs to
  std::size_t contig = 0;
  bool reverse = false;  ///< the model reads the reverse complement
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t read_begin = 0;
  std::uint64_t read_end = 0;
  std::string letters;  ///< of the read range, forward
  std::vector<float>
      ln_p;  ///< [end - begin, 4], ascending positions, forward letters; NaN: nothing is known
  std::size_t n_tokens = 0;  ///< tokens that were computed for it

  std::size_t n_positions() const noexcept { return static_cast<std::size_t>(end - begin); }
  std::size_t n_read() const noexcept { return static_cast<std::size_t>(read_end - read_begin); }
  /// Place of the first reported position in what the model reads, from its start.
  std::size_t n_before() const noexcept {
    return static_cast<std::size_t>(reverse ? read_end - end : begin - read_begin);
  }
};

/// Pieces that are computed by one thread in one go.
class ScoreBatch final : public WorkItem {
 public:
  std::vector<ScorePiece> pieces;
};

}  // namespace genomamba::pipeline
