// SPDX-License-Identifier: MIT
// Batch: the tokens of several sequences, laid end to end, as the model takes them.
#pragma once

#include <cstddef>
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

/// Segments are disjoint, ascending and cover all tokens. Nothing of one segment reaches another.
struct Batch {
  std::span<const TokenId> tokens;
  std::span<const Segment> segments;
};

}  // namespace genomamba::model
