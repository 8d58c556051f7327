// SPDX-License-Identifier: MIT
#include "axis.hpp"

#include <fmt/format.h>

#include <cmath>

#include "text.hpp"

namespace genomamba::report {
namespace {

/// 1, 2 or 5 times a power of ten, near `raw`.
double round_step(double raw) {
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double part = raw / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

std::string tick_text(double value) {
  const bool is_whole = value == std::floor(value) && std::abs(value) < 1e12;
  return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

}  // namespace

std::vector<double> nice_ticks(Range range, int n) {
  if (!(range.high > range.low)) return {range.low};
  const double step = round_step((range.high - range.low) / n);
  std::vector<double> ticks;
  for (double i = std::ceil(range.low / step - 1e-9); i * step <= range.high + step * 1e-9; ++i)
    ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

Range widened(Range range, double fraction) {
  const double width = range.high - range.low;
  const double more = width > 0 ? width * fraction : std::max(std::abs(range.low), 1.0) * 0.5;
  return {range.low - more, range.high + more};
}

std::string axes_svg(const PlotBox& box, const std::string& x_title, const std::string& y_title,
                     double x_offset) {
  const double bottom = box.top + box.height;
  std::string out = fmt::format("<path class=\"axis\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>",
                                box.left, box.top, bottom, box.left + box.width);
  for (const double tick : nice_ticks({box.x.low + x_offset, box.x.high + x_offset}, 5)) {
    const double x = box.to_x(tick - x_offset);
    out += fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}v5\"/><text class=\"tick\" x=\"{0:.1f}\" "
        "y=\"{2:.1f}\" text-anchor=\"middle\">{3}</text>",
        x, bottom, bottom + 19, tick_text(tick));
  }
  for (const double tick : nice_ticks(box.y, 5)) {
    const double y = box.to_y(tick);
    out += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/><text class=\"tick\" x=\"{3:.1f}\" "
        "y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
        box.left, y, box.left + box.width, box.left - 7, y + 4, tick_text(tick));
  }
  out += fmt::format(
      "<text class=\"axis-title\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
      box.left + box.width / 2, bottom + 42, escaped(x_title));
  if (y_title.empty()) return out;
  return out + fmt::format(
                   "<text class=\"axis-title\" transform=\"translate(17 {:.1f}) "
                   "rotate(-90)\" text-anchor=\"middle\">{}</text>",
                   box.top + box.height / 2, escaped(y_title));
}

}  // namespace genomamba::report
