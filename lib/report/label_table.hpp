// SPDX-License-Identifier: MIT
// Labels of records from a TSV (--labels). Private to report.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace genomamba::report {

struct LabelTable {
  std::vector<std::string> columns;                        ///< without the first, the id
  std::map<std::string, std::vector<std::string>> values;  ///< one a row of the embedding
  std::size_t n_unlabelled = 0;  ///< rows whose id the file does not have; their value is empty
  std::size_t n_unused = 0;      ///< lines whose id no row has
};

/// The first column is the id. Lines of ## are passed over; the first line is a header unless its
/// first cell is one of `ids`; then the columns are called label, label2, ... Throws InputError: a
/// line with another number of fields, an id with two different labels, no id in common, only one
/// column.
LabelTable read_labels(const std::string& path, const std::vector<std::string>& ids);

}  // namespace genomamba::report
