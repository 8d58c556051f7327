// SPDX-License-Identifier: MIT
#include "figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "page_assets.hpp"
#include "text.hpp"

namespace genomamba::report {
namespace {

constexpr double kLegendRow = 20;
constexpr std::size_t kLegendText = 60;

std::string shape_element(std::size_t shape, double x, double y, const std::string& attributes) {
  switch (shape % 4) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"{}", x, y, attributes);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6\" height=\"6\"{}", x - 3, y - 3,
                         attributes);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l4 7h-8z\"{}", x, y - 4, attributes);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l4 4-4 4-4-4z\"{}", x, y - 4, attributes);
  }
}

/// Titles, then the marks. `id` empty: no labels by id (a file has no other document around it).
std::string content(const Figure& figure, const std::string& id) {
  const std::string title_id = id.empty() ? "" : fmt::format(" id=\"{}-t\"", id);
  const std::string description_id = id.empty() ? "" : fmt::format(" id=\"{}-d\"", id);
  return fmt::format("<title{}>{}</title><desc{}>{}</desc>", title_id, escaped(figure.title),
                     description_id, escaped(figure.description)) +
         figure.marks;
}

std::string legend_svg(const Figure& figure) {
  std::string out;
  double y = figure.height + kLegendRow / 2;
  for (const LegendEntry& entry : figure.legend) {
    out += mark(entry.shape, 20, y, entry.css_class, "");
    out += fmt::format("<text class=\"tick\" x=\"34\" y=\"{:.1f}\">{}</text>", y + 4,
                       escaped(shortened(entry.text, kLegendText)));
    y += kLegendRow;
  }
  return out;
}

}  // namespace

std::string mark(std::size_t shape, double x, double y, const std::string& css_class,
                 const std::string& title) {
  const std::string element = shape_element(shape, x, y, fmt::format(" class=\"m {}\"", css_class));
  if (title.empty()) return element + "/>";
  const std::string name = element.substr(1, element.find(' ') - 1);
  return fmt::format("{}><title>{}</title></{}>", element, escaped(title), name);
}

std::string inline_svg(const Figure& figure, const std::string& id) {
  return fmt::format(
      "<svg class=\"fig\" id=\"{0}\" viewBox=\"0 0 {1:g} {2:g}\" role=\"img\" "
      "aria-labelledby=\"{0}-t {0}-d\">{3}</svg>",
      id, figure.width, figure.height, content(figure, id));
}

std::string legend_html(const Figure& figure) {
  if (figure.legend.empty()) return {};
  std::string out = "<ul class=\"legend\">";
  for (const LegendEntry& entry : figure.legend) {
    out += fmt::format(
        "<li><svg class=\"fig key\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">{}</svg>"
        "<span>{}</span></li>",
        mark(entry.shape, 6, 6, entry.css_class, ""), escaped(shortened(entry.text, kLegendText)));
  }
  return out + "</ul>";
}

std::string svg_file(const Figure& figure) {
  const double height = figure.height + kLegendRow * static_cast<double>(figure.legend.size());
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fig\" width=\"{0:g}\" height=\"{1:g}\" "
      "viewBox=\"0 0 {0:g} {1:g}\" role=\"img\">\n<style>{2}</style>\n"
      "<rect class=\"paper\" width=\"{0:g}\" height=\"{1:g}\"/>{3}{4}\n</svg>\n",
      figure.width, height, kFigureCss, content(figure, ""), legend_svg(figure));
}

}  // namespace genomamba::report
