// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <fmt/format.h>

#include <cassert>

#include "text.hpp"

namespace genomamba::report {
namespace {

std::string cell_html(const Cell& cell) {
  if (!cell.link.empty()) {
    const std::string locus =
        cell.locus.empty() ? "" : fmt::format(" data-locus=\"{}\"", escaped(cell.locus));
    return fmt::format("<a href=\"{}\" rel=\"noreferrer\"{}>{}</a>", escaped(cell.link), locus,
                       escaped(cell.text));
  }
  return escaped(cell.text);
}

}  // namespace

std::string table_html(std::string_view caption, const std::vector<std::string>& headings,
                       std::string_view alignment, const std::vector<std::vector<Cell>>& rows) {
  assert(alignment.size() == headings.size());
  // A region that scrolls has to be reachable by the keyboard.
  std::string out = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table><caption>{0}"
      "</caption><thead><tr>",
      escaped(caption));
  const auto align = [&](std::size_t column) {
    return alignment[column] == 'r' ? " class=\"r\"" : "";
  };
  for (std::size_t i = 0; i < headings.size(); ++i)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", align(i), escaped(headings[i]));
  out += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    assert(row.size() == headings.size());
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += fmt::format("<td{}>{}</td>", align(i), cell_html(row[i]));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string out = "<dl>";
  for (const auto& [name, value] : facts)
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value));
  return out + "</dl>\n";
}

std::string paragraph_html(std::string_view text) {
  return fmt::format("<p>{}</p>\n", escaped(text));
}

std::string heading_html(std::string_view text) {
  return fmt::format("<h3>{}</h3>\n", escaped(text));
}

std::string copy_block_html(std::string_view label, std::string_view text) {
  return fmt::format(
      "<div class=\"copy\"><p>{0}</p><pre tabindex=\"0\">{1}</pre><button type=\"button\" "
      "aria-label=\"Copy: {0}\">Copy</button></div>\n",
      escaped(label), escaped(text));
}

std::string figure_html(const Figure& figure, const std::string& id) {
  return fmt::format("<figure class=\"plot\"><figcaption>{}</figcaption>{}{}</figure>\n",
                     escaped(figure.title), inline_svg(figure, id), legend_html(figure));
}

std::vector<std::pair<std::string, std::string>> provenance_facts(
    const std::vector<std::string>& provenance) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const std::string& line : provenance) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = line.substr(0, equals);
    if (name == "genomamba") facts.emplace_back("made by", "genomamba " + line.substr(equals + 1));
    if (name == "model" || name == "options") facts.emplace_back(name, line.substr(equals + 1));
  }
  return facts;
}

}  // namespace genomamba::report
