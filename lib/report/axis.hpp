// SPDX-License-Identifier: MIT
// PlotBox: a rectangle with an axis left and below, and the way from data to its units. Private to
// report.
#pragma once

#include <string>
#include <vector>

namespace genomamba::report {

struct Range {
  double low = 0;
  double high = 1;
};

/// Round numbers within the range, about `n` of them, ascending; at least one for a range of no
/// width.
std::vector<double> nice_ticks(Range range, int n);
/// The range made wider by `fraction` at both ends; one of no width gets some.
Range widened(Range range, double fraction);

/// In units of the view box; y grows downwards.
struct PlotBox {
  double left = 62;
  double top = 12;
  double width = 560;
  double height = 340;
  Range x;
  Range y;

  double to_x(double value) const { return left + (value - x.low) / (x.high - x.low) * width; }
  double to_y(double value) const {
    return top + height - (value - y.low) / (y.high - y.low) * height;
  }
};

/// Lines, ticks, numbers and titles. `x_offset` is added to the numbers below (1-based positions).
std::string axes_svg(const PlotBox& box, const std::string& x_title, const std::string& y_title,
                     double x_offset = 0);

}  // namespace genomamba::report
