// SPDX-License-Identifier: MIT
#include "track_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "axis.hpp"
#include "text.hpp"

namespace genomamba::report {
namespace {

constexpr std::size_t kColumns = 465;
constexpr std::uint16_t kNoValue = 65535;
constexpr double kLevels = 65534;

Range range_of(std::span<const float> values) {
  Range range{HUGE_VAL, -HUGE_VAL};
  for (const float value : values) {
    if (std::isnan(value)) continue;
    range.low = std::min(range.low, static_cast<double>(value));
    range.high = std::max(range.high, static_cast<double>(value));
  }
  return range.low < range.high ? range : widened(range, 0.1);
}

/// Smallest to largest value of each column of the picture.
std::string band_path(const Track& track, const PlotBox& box) {
  const std::size_t n = track.values.size();
  const std::size_t n_columns = std::min(kColumns, n);
  std::string path;
  for (std::size_t i = 0; i < n_columns; ++i) {
    const std::size_t begin = i * n / n_columns;
    const std::size_t end = (i + 1) * n / n_columns;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (std::size_t at = begin; at < end; ++at) {
      const double value = track.values[at];
      if (std::isnan(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (low > high) continue;
    const double left = box.to_x(static_cast<double>(begin));
    const double right = box.to_x(static_cast<double>(end));
    const double top = box.to_y(high);
    path += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", left, top, right - left,
                        std::max(box.to_y(low) - top, 0.8), left - right);
  }
  return fmt::format("<path class=\"band\" d=\"{}\"/>", path);
}

std::string mean_path(std::span<const double> means, const PlotBox& box) {
  const std::size_t n_points = std::min(2 * kColumns, means.size());
  std::string path;
  bool is_drawing = false;
  for (std::size_t i = 0; i < n_points; ++i) {
    const std::size_t at = i * means.size() / n_points;
    if (std::isnan(means[at])) {
      is_drawing = false;
      continue;
    }
    path += fmt::format("{}{:.1f} {:.1f}", is_drawing ? 'L' : 'M',
                        box.to_x(static_cast<double>(at) + 0.5), box.to_y(means[at]));
    is_drawing = true;
  }
  return fmt::format("<path class=\"mean\" d=\"{}\"/>", path);
}

std::string dip_marks(const Track& track, const Dips& dips, const PlotBox& box) {
  std::string out;
  for (const Dip& dip : dips.dips) {
    const double left = box.to_x(static_cast<double>(dip.begin - track.begin));
    const double right = box.to_x(static_cast<double>(dip.end - track.begin));
    out += fmt::format(
        "<rect class=\"dip\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", left,
        box.top, std::max(right - left, 1.5), box.height);
  }
  return out;
}

/// 16 bits a value, little-endian: 0 is the smallest, 65534 the largest, 65535 none.
std::vector<std::uint8_t> packed(std::span<const float> values, Range range) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * 2);
  for (const float value : values) {
    std::uint16_t level = kNoValue;
    if (!std::isnan(value)) {
      const double part = (static_cast<double>(value) - range.low) / (range.high - range.low);
      level = static_cast<std::uint16_t>(std::lround(std::clamp(part, 0.0, 1.0) * kLevels));
    }
    bytes.push_back(static_cast<std::uint8_t>(level & 255U));
    bytes.push_back(static_cast<std::uint8_t>(level >> 8U));
  }
  return bytes;
}

std::string tools_html(const std::string& id) {
  std::string out = fmt::format("<div class=\"tools\" role=\"group\" aria-label=\"View\" hidden>");
  constexpr const char* kButtons[][2] = {{"in", "Zoom in"},
                                         {"out", "Zoom out"},
                                         {"left", "Left"},
                                         {"right", "Right"},
                                         {"all", "Whole region"}};
  for (const auto& [action, text] : kButtons) {
    out += fmt::format("<button type=\"button\" data-do=\"{}\" aria-controls=\"{}\">{}</button>",
                       action, id, text);
  }
  return out + "</div>";
}

}  // namespace

std::size_t packed_step(const Track& track, std::size_t most_bytes) {
  // Base64 makes 8 characters of 3 values of two bytes each; letters are one more each.
  const double each = 8.0 / 3 + (track.letters.empty() ? 0 : 1);
  const double all = static_cast<double>(track.values.size()) * each;
  if (all <= static_cast<double>(most_bytes)) return 1;
  const double without_letters = static_cast<double>(track.values.size()) * 8 / 3;
  return std::max<std::size_t>(
      2, static_cast<std::size_t>(std::ceil(without_letters / static_cast<double>(most_bytes))));
}

Figure track_figure(const Track& track, std::span<const double> means, const Dips& dips,
                    std::size_t window) {
  Figure figure;
  figure.title = fmt::format("{} along {}", track.score, shortened(track.locus(), 80));
  if (!track.region.empty() && track.region != track.locus())
    figure.title += fmt::format(" ({})", shortened(track.region, 60));
  figure.description = fmt::format(
      "Values at {} positions, their running mean over {} positions, and {} dips of it below {}. "
      "With the focus on it, the arrow keys read out positions, plus and minus zoom.",
      track.values.size(), window, dips.dips.size(), number_text(dips.threshold));
  figure.width = 1000;
  figure.height = 230;
  PlotBox box{.left = 62, .top = 8, .width = 926, .height = 160, .x = {}, .y = {}};
  box.x = {0, static_cast<double>(track.values.size())};
  box.y = range_of(track.values);
  figure.marks = dip_marks(track, dips, box) +
                 axes_svg(box, "position on " + shortened(track.contig, 60), track.score,
                          static_cast<double>(track.begin) + 1) +
                 band_path(track, box) + mean_path(means, box);
  figure.legend = {{"band", 1, "smallest to largest value"},
                   {"mean-key", 1, fmt::format("running mean of {} positions", window)},
                   {"dip-key", 1, "dip of the running mean"}};
  return figure;
}

std::string track_html(const Track& track, const Figure& figure, const std::string& id,
                       const Dips& dips, std::size_t window, std::size_t most_bytes) {
  const std::size_t step = packed_step(track, most_bytes);
  const std::vector<float> values = reduced(track.values, step);
  const Range range = range_of(values);
  std::string places;
  for (const Dip& dip : dips.dips)
    places += fmt::format("{}{}-{}", places.empty() ? "" : " ", dip.begin, dip.end);
  const std::string attributes = fmt::format(
      "data-contig=\"{}\" data-score=\"{}\" data-begin=\"{}\" data-end=\"{}\" data-step=\"{}\" "
      "data-window=\"{}\" data-low=\"{}\" data-high=\"{}\" data-dips=\"{}\" data-letters=\"{}\" "
      "data-values=\"{}\"",
      escaped(track.contig), escaped(track.score), track.begin, track.end(), step, window,
      range.low, range.high, places, step == 1 ? escaped(track.letters) : "",
      base64(packed(values, range)));
  return fmt::format(
      "<figure class=\"track\" {}><figcaption>{}</figcaption>{}{}<p class=\"readout\" "
      "aria-live=\"polite\"></p>{}</figure>\n",
      attributes, escaped(figure.title), tools_html(id), inline_svg(figure, id),
      legend_html(figure));
}

}  // namespace genomamba::report
