// SPDX-License-Identifier: MIT
// Nearest-neighbour purity: how often the nearest row has the same label. Private to report.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "matrix_source.hpp"

namespace genomamba::report {

struct NeighborPurity {
  std::size_t n_rows = 0;        ///< rows compared with one another
  double purity = 0;             ///< share of rows whose nearest other row has their label
  double by_chance = 0;          ///< the same for a neighbour drawn from the other rows by chance
  std::vector<double> of_label;  ///< per label; NaN: no row
};

/// Euclidean distance in the space of the vectors. `rows`: ascending numbers, all values finite, at
/// most some thousands (time grows with their square); `labels` [rows]: 0 ... n_labels - 1. Of
/// neighbours equally near the first counts. Precondition: at least two rows.
NeighborPurity neighbor_purity(const MatrixSource& source, std::span<const std::size_t> rows,
                               std::span<const std::size_t> labels, std::size_t n_labels);

}  // namespace genomamba::report
