// SPDX-License-Identifier: MIT
// Pooling: many token vectors to one, row by row, so that the cut into chunks never changes a bit.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "genomamba/core/span2d.hpp"
#include "genomamba/pipeline/embed_options.hpp"

namespace genomamba::pipeline {

/// Accumulates rows in the order they are added. Mean sums in double. Not for Pool::kNone.
class Pooling {
 public:
  Pooling(Pool pool, std::size_t width);

  void add(Span2d<const float> rows);
  std::size_t n_rows() const noexcept { return n_rows_; }
  /// The pooled vector [width]; NaN when no row was added.
  void result(std::span<float> out) const;

 private:
  void add_row(std::span<const float> row);

  Pool pool_;
  std::size_t n_rows_ = 0;
  std::vector<double> sum_;     ///< mean
  std::vector<float> extreme_;  ///< max, first, last
};

/// True if no value is NaN or infinite.
bool all_finite(std::span<const float> values) noexcept;

}  // namespace genomamba::pipeline
