// SPDX-License-Identifier: MIT
#include "scatter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axis.hpp"
#include "text.hpp"

namespace genomamba::report {
namespace {

std::string component_title(const Pca& pca, std::size_t component) {
  if (component >= pca.n_components()) return "no second component";
  return fmt::format("PC{} ({} of the variance)", component + 1,
                     percent_text(pca.explained_ratio(component)));
}

Range range_of(std::span<const ScatterPoint> points, double ScatterPoint::*coordinate) {
  Range range{points.front().*coordinate, points.front().*coordinate};
  for (const ScatterPoint& point : points) {
    range.low = std::min(range.low, point.*coordinate);
    range.high = std::max(range.high, point.*coordinate);
  }
  return widened(range, 0.04);
}

}  // namespace

Figure scatter_figure(std::span<const ScatterPoint> points, const Pca& pca,
                      const Coloring& coloring) {
  Figure figure;
  figure.title = fmt::format("Principal components, coloured by {}", coloring.column);
  figure.description = fmt::format(
      "Scatter of {} records along the first two principal components. With the focus on it, the "
      "arrow keys step through the records.",
      points.size());
  figure.height = 410;
  PlotBox box;
  box.x = range_of(points, &ScatterPoint::x);
  box.y = range_of(points, &ScatterPoint::y);
  figure.marks =
      axes_svg(box, component_title(pca, 0), component_title(pca, 1)) + "<g class=\"points\">\n";
  for (const ScatterPoint& point : points) {
    const LegendEntry& entry = coloring.entries[point.entry];
    figure.marks +=
        mark(entry.shape, box.to_x(point.x), box.to_y(point.y), entry.css_class, point.title) +
        "\n";
  }
  figure.marks += "</g>";
  figure.legend = coloring.entries;
  return figure;
}

Figure variance_figure(const Pca& pca) {
  Figure figure;
  figure.title = "Variance explained by each component";
  figure.height = 250;
  PlotBox box;
  box.height = 180;
  const auto n = static_cast<double>(pca.n_components());
  box.x = {0.4, n + 0.6};
  double highest = 0;
  for (std::size_t i = 0; i < pca.n_components(); ++i)
    highest = std::max(highest, pca.explained_ratio(i) * 100);
  box.y = {0, highest > 0 ? highest * 1.05 : 1};
  figure.marks = axes_svg(box, "component", "% of the variance") + "<g class=\"points\">\n";
  std::string list;
  for (std::size_t i = 0; i < pca.n_components(); ++i) {
    const double percent = pca.explained_ratio(i) * 100;
    const auto number = static_cast<double>(i + 1);
    const double left = box.to_x(number - 0.35);
    const double top = box.to_y(percent);
    figure.marks += fmt::format(
        "<rect class=\"m bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
        "<title>PC{}: {}</title></rect>\n",
        left, top, box.to_x(number + 0.35) - left, box.top + box.height - top, i + 1,
        percent_text(percent / 100));
    list += fmt::format("{}PC{} {}", list.empty() ? "" : ", ", i + 1, percent_text(percent / 100));
  }
  figure.marks += "</g>";
  figure.description = list;
  return figure;
}

}  // namespace genomamba::report
