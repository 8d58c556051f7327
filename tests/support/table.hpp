// SPDX-License-Identifier: MIT
// Table: a TSV output as the apps write it: ## lines, one # header line, rows.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace genomamba::test {

struct Table {
  std::vector<std::string> provenance;  ///< without "##"
  std::vector<std::string> columns;
  std::vector<std::map<std::string, std::string>> rows;

  /// One column of every row.
  std::vector<std::string> column(const std::string& name) const;
};

/// Throws std::runtime_error when a row has another number of fields than the header.
Table parse_table(const std::string& text);

}  // namespace genomamba::test
