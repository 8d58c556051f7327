// SPDX-License-Identifier: MIT
// RowColumns: the columns of a row table (embed's .rows.tsv.gz) that a report needs. Private to
// report.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace genomamba::report {

struct RowColumns {
  std::string path;
  std::vector<std::string> provenance;                     ///< without "##"
  std::vector<std::string> names;                          ///< every column that the table has
  std::vector<std::string> ids;                            ///< one a row
  std::map<std::string, std::vector<std::string>> values;  ///< the columns asked for, if they exist
  /// First row of the matrix of each row (pool none); empty: the row's own number.
  std::vector<std::size_t> offsets;
};

/// Throws InputError: missing, a row with another number of fields than the header, no id column.
RowColumns read_row_columns(const std::string& path, const std::vector<std::string>& wanted);

}  // namespace genomamba::report
