// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <sstream>
#include <stdexcept>

namespace genomamba::test {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::string field;
  std::istringstream in(line + "\t");
  while (std::getline(in, field, '\t'))
    fields.push_back(field);
  return fields;
}

}  // namespace

std::vector<std::string> Table::column(const std::string& name) const {
  std::vector<std::string> values;
  for (const auto& row : rows)
    values.push_back(row.at(name));
  return values;
}

Table parse_table(const std::string& text) {
  Table table;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("##", 0) == 0) {
      table.provenance.push_back(line.substr(2));
    } else if (line.rfind('#', 0) == 0) {
      table.columns = split(line.substr(1));
    } else {
      const auto fields = split(line);
      if (fields.size() != table.columns.size()) {
        throw std::runtime_error("a row of " + std::to_string(fields.size()) + " fields: " + line);
      }
      auto& row = table.rows.emplace_back();
      for (std::size_t i = 0; i < fields.size(); ++i)
        row[table.columns[i]] = fields[i];
    }
  }
  return table;
}

}  // namespace genomamba::test
