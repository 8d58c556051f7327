// SPDX-License-Identifier: MIT
#include "row_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "genomamba/core/error.hpp"
#include "genomamba/io/text_reader.hpp"
#include "text.hpp"

namespace genomamba::report {
namespace {

std::optional<std::size_t> find_column(const std::vector<std::string>& names,
                                       std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

/// Takes the ## lines and the header line.
void read_header(io::TextReader& lines, RowColumns& table) {
  std::string line;
  while (lines.next(line)) {
    if (line.starts_with("##")) {
      table.provenance.push_back(line.substr(2));
      continue;
    }
    if (!line.starts_with('#')) break;
    std::vector<std::string_view> fields;
    split_tabs(std::string_view(line).substr(1), fields);
    table.names.assign(fields.begin(), fields.end());
    return;
  }
  throw InputError(table.path, "", "has no header line '#row id ...'");
}

}  // namespace

RowColumns read_row_columns(const std::string& path, const std::vector<std::string>& wanted) {
  RowColumns table;
  table.path = path;
  io::TextReader lines(path);
  read_header(lines, table);
  const auto id_column = find_column(table.names, "id");
  if (!id_column) throw InputError(path, "", "has no column 'id': it is no row table of embed");
  const auto offset_column = find_column(table.names, "offset");
  std::vector<std::pair<std::size_t, std::vector<std::string>*>> columns;
  for (const std::string& name : wanted) {
    if (const auto column = find_column(table.names, name))
      columns.emplace_back(*column, &table.values[name]);
  }
  std::string line;
  std::vector<std::string_view> fields;
  while (lines.next(line)) {
    split_tabs(line, fields);
    const auto fail = [&](const std::string& reason) {
      throw InputError(path, fmt::format("line {}", lines.number()), reason);
    };
    if (fields.size() != table.names.size()) {
      fail(fmt::format("has {} fields, the header {}", fields.size(), table.names.size()));
    }
    table.ids.emplace_back(fields[*id_column]);
    for (const auto& [column, values] : columns)
      values->emplace_back(fields[column]);
    if (!offset_column) continue;
    const double offset = to_number(fields[*offset_column]);
    if (!(offset >= 0) ||
        (!table.offsets.empty() && offset < static_cast<double>(table.offsets.back()))) {
      fail("its offset is no number, or smaller than that of the row before");
    }
    table.offsets.push_back(static_cast<std::size_t>(offset));
  }
  return table;
}

}  // namespace genomamba::report
