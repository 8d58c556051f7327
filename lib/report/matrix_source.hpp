// SPDX-License-Identifier: MIT
// MatrixSource: a matrix read by blocks of rows, so that it need not be in memory. Private to
// report.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace genomamba::report {

struct MatrixSource {
  std::size_t rows = 0;
  std::size_t cols = 0;
  /// Rows [begin, begin + n) into values [n, cols].
  std::function<void(std::size_t begin, std::size_t n, std::span<float> values)> read;
};

/// Rows of one block: about 4 MB.
inline std::size_t block_rows(const MatrixSource& source) {
  constexpr std::size_t kBlockFloats = std::size_t{1} << 20;
  return kBlockFloats / source.cols + 1;
}

/// Calls take(number, row [cols]) for each row of `wanted` (ascending numbers).
void for_rows(const MatrixSource& source, std::span<const std::size_t> wanted,
              const std::function<void(std::size_t number, std::span<const float> row)>& take);

}  // namespace genomamba::report
