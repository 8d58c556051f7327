// SPDX-License-Identifier: MIT
#include "variant_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axis.hpp"
#include "text.hpp"

namespace genomamba::report {
namespace {

constexpr double kRowHeight = 92;
constexpr double kRowGap = 34;
constexpr double kBars = 40;

struct Bins {
  double width = 1;
  std::int64_t first = 0;
  std::int64_t last = 0;  ///< included
};

/// Wide bins made of whole narrow ones, about kBars of them, with an edge at 0.
Bins bins_of(double lowest, double highest) {
  constexpr double kNarrow = LlrDistribution::kBin;
  Bins bins;
  double width = kNarrow;
  for (int i = 0; (highest - lowest) / width > kBars; ++i)
    width *= i % 3 == 1 ? 2.5 : 2;  // 0.05, 0.1, 0.25, 0.5, 1, 2.5, ...
  bins.width = width;
  bins.first = static_cast<std::int64_t>(std::floor(lowest / width));
  bins.last = static_cast<std::int64_t>(std::floor(highest / width));
  return bins;
}

std::vector<std::uint64_t> counts_of(const LlrDistribution& distribution, const Bins& bins) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins.last - bins.first + 1), 0);
  for (const auto& [narrow, n] : distribution.bins) {
    const double middle = (static_cast<double>(narrow) + 0.5) * LlrDistribution::kBin;
    const auto bin = static_cast<std::int64_t>(std::floor(middle / bins.width));
    counts[static_cast<std::size_t>(std::clamp(bin, bins.first, bins.last) - bins.first)] += n;
  }
  return counts;
}

/// The bars of one type; the axis is drawn below the last.
std::string histogram(const LlrDistribution& distribution, VariantType type, const Bins& bins,
                      PlotBox box) {
  const auto counts = counts_of(distribution, bins);
  const std::uint64_t highest = *std::max_element(counts.begin(), counts.end());
  box.y = {0, static_cast<double>(highest) * 1.05};
  std::string out = fmt::format(
      "<text class=\"row-title\" x=\"{:.1f}\" y=\"{:.1f}\">{} ({} scored)</text>"
      "<path class=\"axis\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>"
      "<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
      box.left, box.top - 8, to_string(type), distribution.n_scored, box.left, box.top + box.height,
      box.width, box.left - 7, box.to_y(static_cast<double>(highest)) + 5, highest);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double low = static_cast<double>(bins.first + static_cast<std::int64_t>(i)) * bins.width;
    const double left = box.to_x(low);
    const double right = box.to_x(low + bins.width);
    const double top = std::min(box.to_y(static_cast<double>(counts[i])), box.top + box.height - 1);
    out += fmt::format(
        "<rect class=\"m s{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>"
        "{} to {}: {} {}</title></rect>\n",
        static_cast<std::size_t>(type), left + 0.5, top, std::max(right - left - 1, 0.5),
        box.top + box.height - top, number_text(low), number_text(low + bins.width), counts[i],
        to_string(type));
  }
  return out;
}

}  // namespace

Figure variant_figure(const VariantSummary& summary) {
  double lowest = HUGE_VAL;
  double highest = -HUGE_VAL;
  std::size_t n_rows = 0;
  for (const LlrDistribution& each : summary.by_type()) {
    if (each.n_scored == 0) continue;
    lowest = std::min(lowest, each.lowest);
    highest = std::max(highest, each.highest);
    ++n_rows;
  }
  const Bins bins = bins_of(lowest, highest);
  Figure figure;
  figure.title = "Log-likelihood ratios by type of variant";
  figure.description =
      "One histogram a type. Values below 0 are alternatives that the model finds less likely than "
      "the reference. The table beside it has the numbers.";
  figure.height = static_cast<double>(n_rows) * (kRowHeight + kRowGap) + 62;
  PlotBox box{.left = 62, .top = kRowGap - 6, .width = 560, .height = kRowHeight, .x = {}, .y = {}};
  box.x = {static_cast<double>(bins.first) * bins.width,
           static_cast<double>(bins.last + 1) * bins.width};
  figure.marks = "<g class=\"points\">\n";
  PlotBox row = box;
  for (std::size_t i = 0; i < kVariantTypes; ++i) {
    const LlrDistribution& each = summary.by_type()[i];
    if (each.n_scored == 0) continue;
    figure.marks += histogram(each, static_cast<VariantType>(i), bins, row);
    box.top = row.top;
    row.top += kRowHeight + kRowGap;
  }
  figure.marks += "</g>";
  const double bottom = box.top + box.height;
  for (const double tick : nice_ticks(box.x, 8)) {
    figure.marks += fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}v5\"/><text class=\"tick\" x=\"{0:.1f}\" "
        "y=\"{2:.1f}\" text-anchor=\"middle\">{3}</text>",
        box.to_x(tick), bottom, bottom + 19, number_text(tick));
  }
  figure.marks += fmt::format(
      "<text class=\"axis-title\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">GM_LLR: ln "
      "P(alt) - ln P(ref)</text>",
      box.left + box.width / 2, bottom + 42);
  return figure;
}

}  // namespace genomamba::report
