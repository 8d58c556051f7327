// SPDX-License-Identifier: MIT
// Principal components of the rows of a matrix. Private to report.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "matrix_source.hpp"

namespace genomamba::report {

struct Pca {
  std::size_t cols = 0;
  std::vector<double> mean;                ///< [cols]
  std::vector<double> components;          ///< [n_components, cols], of length 1
  std::vector<double> explained_variance;  ///< [n_components], of n - 1 degrees of freedom
  double total_variance = 0;

  std::size_t n_components() const { return explained_variance.size(); }
  /// Share of the total variance; 0 where there is no variance.
  double explained_ratio(std::size_t component) const;
  /// Coordinate of a row along a component.
  double project(std::span<const float> row, std::size_t component) const;
};

/// The first min(n_components, cols, rows - 1) components of `rows` (ascending numbers, all values
/// finite). Exact, in double precision, by the eigenvectors of the covariance, or of the Gram
/// matrix when there are fewer rows than columns. The largest loading of each is positive. Reads
/// the rows twice, by blocks. Precondition: at least two rows.
Pca fit_pca(const MatrixSource& source, std::span<const std::size_t> rows,
            std::size_t n_components);

/// How many of `n_rows` a fit takes: all up to 50,000, and beyond as long as their cost stays below
/// a fixed one; else 50,000.
std::size_t n_fit_rows(std::size_t n_rows, std::size_t cols);

}  // namespace genomamba::report
