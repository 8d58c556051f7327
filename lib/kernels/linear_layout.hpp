// SPDX-License-Identifier: MIT
// How a weight matrix is cut into panels for the projection micro-kernels.
//
// Columns (output features) are grouped in panels of 2 vectors; when an odd vector is left, the
// last panel has 3 (or 1, if it is the only one). A panel is stored [in_features, width], so the
// micro-kernel reads it front to back. Widths are whole vectors: the columns past out_features are
// zeros.
#pragma once

#include <cstddef>

namespace genomamba::kernels {

// Static, not inline: per-ISA files must not share a weak symbol.
struct PanelPlan {
  std::size_t n_pairs;     ///< panels of two vectors
  std::size_t last_width;  ///< vectors of the last panel: 0 (none), 1 or 3
  std::size_t n_vectors;   ///< all vectors: padded columns / lanes
};

static inline PanelPlan plan_panels(std::size_t out_features, std::size_t lanes) {
  const std::size_t n_vectors = (out_features + lanes - 1) / lanes;
  if (n_vectors % 2 == 0) return {n_vectors / 2, 0, n_vectors};
  if (n_vectors == 1) return {0, 1, n_vectors};
  return {(n_vectors - 3) / 2, 3, n_vectors};
}

}  // namespace genomamba::kernels
