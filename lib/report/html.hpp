// SPDX-License-Identifier: MIT
// Pieces of the page: sections, tables, facts, figures. Private to report.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure.hpp"

namespace genomamba::report {

/// What one input, or the run reports together, have to show.
struct Section {
  std::string id;               ///< letters, digits and '-', unique in the page
  std::string heading;          ///< plain text
  std::string html;             ///< everything in it escaped
  std::vector<Figure> figures;  ///< all that the html shows, for files of their own
};

/// A cell of a table; all parts are plain text.
struct Cell {
  std::string text;
  std::string link = {};   ///< an address, "#id" within the page; empty: none
  std::string locus = {};  ///< "contig:start-end": the link shows it in the track that it leads to
};

/// A table with a caption and column headings. `alignment`: one letter a column, 'l' text, 'r'
/// numbers. Wider than the page, it scrolls by itself.
std::string table_html(std::string_view caption, const std::vector<std::string>& headings,
                       std::string_view alignment, const std::vector<std::vector<Cell>>& rows);

/// A list of names and values.
std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts);

std::string paragraph_html(std::string_view text);
std::string heading_html(std::string_view text);
/// A block of text to copy, with a button for it.
std::string copy_block_html(std::string_view label, std::string_view text);

/// <figure> with caption, marks and legend; `id` unique in the page.
std::string figure_html(const Figure& figure, const std::string& id);

/// Model, options and version from the ## lines of an output, as facts.
std::vector<std::pair<std::string, std::string>> provenance_facts(
    const std::vector<std::string>& provenance);

}  // namespace genomamba::report
