// SPDX-License-Identifier: MIT
// The figures of an embedding: points along two components, and how much each explains. Private to
// report.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "coloring.hpp"
#include "figure.hpp"
#include "pca.hpp"

namespace genomamba::report {

struct ScatterPoint {
  double x = 0;
  double y = 0;
  std::size_t entry = 0;  ///< of the coloring
  std::string title;      ///< what a hover shows, plain text
};

/// Points are drawn in the order given, so a mixed order hides no group behind another.
Figure scatter_figure(std::span<const ScatterPoint> points, const Pca& pca,
                      const Coloring& coloring);

/// A bar a component.
Figure variance_figure(const Pca& pca);

}  // namespace genomamba::report
