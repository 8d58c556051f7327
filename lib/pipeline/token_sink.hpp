// SPDX-License-Identifier: MIT
// TokenSink: where the token vectors of one row of the table go, for one orientation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "genomamba/core/span2d.hpp"
#include "pooling.hpp"

namespace genomamba::pipeline {

/// Pools, or with Pool::kNone keeps every vector at its forward position.
class TokenSink {
 public:
  /// `n_tokens`: tokens of the row, used by Pool::kNone alone.
  TokenSink(Pool pool, std::size_t width, std::size_t n_tokens)
      : pooling_(pool == Pool::kNone ? Pool::kFirst : pool, width),
        width_(width),
        vectors_(pool == Pool::kNone ? n_tokens * width : 0) {}

  /// Consecutive tokens of one piece. `first`: forward position of rows[0] within the row of the
  /// table; following rows lie one position further, or one before when `descending` (the reverse
  /// orientation).
  void add(Span2d<const float> rows, std::size_t first, bool descending) {
    if (vectors_.empty()) {
      pooling_.add(rows);
      return;
    }
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const std::size_t position = descending ? first - i : first + i;
      const auto row = rows.row(i);
      std::copy(row.begin(), row.end(), vectors_.data() + position * width_);
    }
  }

  const Pooling& pooling() const noexcept { return pooling_; }
  /// Pool::kNone: vector of the token at `position`.
  std::span<const float> vector(std::size_t position) const {
    return {vectors_.data() + position * width_, width_};
  }

 private:
  Pooling pooling_;
  std::size_t width_;
  std::vector<float> vectors_;
};

}  // namespace genomamba::pipeline
