// SPDX-License-Identifier: MIT
// Figure: marks in a box with axes, for the page and as a file. Private to report.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace genomamba::report {

/// One line of a legend: how the mark looks and what it means (text is escaped when it is drawn).
struct LegendEntry {
  std::string css_class;  ///< "s0" ... "s8", "q0" ... "q6", "band", ...
  std::size_t shape = 0;  ///< see mark()
  std::string text;
};

struct Figure {
  std::string name;         ///< "reads-scatter": part of the file's name, unique in a report
  std::string title;        ///< plain text
  std::string description;  ///< plain text: what a person who cannot see it is told
  double width = 640;       ///< of the view box
  double height = 400;
  std::string marks;  ///< SVG elements, every text in them escaped
  std::vector<LegendEntry> legend;
};

/// A mark around (x, y): 0 disc, 1 square, 2 triangle, 3 diamond, and so on in turn. `title`: plain
/// text that a hover shows; empty: none.
std::string mark(std::size_t shape, double x, double y, const std::string& css_class,
                 const std::string& title);

/// The element <svg> for the page: styled by the page, `id` for its labels.
std::string inline_svg(const Figure& figure, const std::string& id);
/// The legend beside it, as a list.
std::string legend_html(const Figure& figure);
/// A file for a paper: its own light style, the legend below the plot.
std::string svg_file(const Figure& figure);

}  // namespace genomamba::report
