// SPDX-License-Identifier: MIT
// Batch: the tokens of several sequences, laid end to end, as the model takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "genomamba/core/token.hpp"

namespace genomamba::model {

class MambaState;

/// One sequence (or one chunk of a long one) inside a batch: rows [begin, begin + length).
struct Segment {
  std::size_t begin = 0;
  std::size_t length = 0;
  /// Causal models: the state before the chunk, updated to the state after it. Null: a whole
  /// sequence, which starts from zero and leaves nothing.
  MambaState* state = nullptr;
};

/// Bits of Batch::tracks: the two extra input channels of six-track models (Orthrus).
inline constexpr std::uint8_t kTrackCodonStart =
    1;                                            ///< first base of a codon of the coding sequence
inline constexpr std::uint8_t kTrackExonEnd = 2;  ///< last base of an exon, the final exon included

/// Segments are disjoint, ascending and cover all tokens. Nothing of one segment reaches another.
struct Batch {
  std::span<const TokenId> tokens;
  std::span<const Segment> segments;
  std::span<const std::uint8_t> tracks = {};  ///< [tokens]; six-track models only, else empty
  /// Rows whose hidden state is wanted, ascending; empty: all. Those of other rows are undefined
  /// then, and the last block computes only what the wanted ones need: the same to the bit.
  std::span<const std::size_t> rows = {};
};

}  // namespace genomamba::model
