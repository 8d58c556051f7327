// SPDX-License-Identifier: MIT
#include "pooling.hpp"

#include <algorithm>
#include <limits>

namespace genomamba::pipeline {

Pooling::Pooling(Pool pool, std::size_t width) : pool_(pool) {
  if (pool_ == Pool::kMean) {
    sum_.assign(width, 0.0);
  } else {
    extreme_.assign(width, std::numeric_limits<float>::quiet_NaN());
  }
}

void Pooling::add(Span2d<const float> rows) {
  for (std::size_t i = 0; i < rows.rows(); ++i)
    add_row(rows.row(i));
}

void Pooling::add_row(std::span<const float> row) {
  const bool is_first = n_rows_++ == 0;
  if (pool_ == Pool::kMean) {
    for (std::size_t c = 0; c < row.size(); ++c)
      sum_[c] += static_cast<double>(row[c]);
  } else if (is_first || pool_ == Pool::kLast) {
    std::copy(row.begin(), row.end(), extreme_.begin());
  } else if (pool_ == Pool::kMax) {
    for (std::size_t c = 0; c < row.size(); ++c)
      extreme_[c] = std::max(extreme_[c], row[c]);
  }
}

void Pooling::result(std::span<float> out) const {
  if (n_rows_ == 0) {
    std::fill(out.begin(), out.end(), std::numeric_limits<float>::quiet_NaN());
  } else if (pool_ == Pool::kMean) {
    const double n = static_cast<double>(n_rows_);
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] = static_cast<float>(sum_[c] / n);
  } else {
    std::copy(extreme_.begin(), extreme_.end(), out.begin());
  }
}

bool all_finite(std::span<const float> values) noexcept {
  // x * 0 is 0 for finite x and NaN otherwise; four sums let the compiler use vectors.
  float sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k)
      sums[k] += values[i + k] * 0.0F;
  }
  for (; i < values.size(); ++i)
    sums[0] += values[i] * 0.0F;
  return sums[0] + sums[1] + sums[2] + sums[3] == 0.0F;
}

}  // namespace genomamba::pipeline
