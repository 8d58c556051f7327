// SPDX-License-Identifier: MIT
#include "label_table.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "genomamba/core/error.hpp"
#include "genomamba/io/text_reader.hpp"
#include "text.hpp"

namespace genomamba::report {
namespace {

class LabelReader {
 public:
  LabelReader(const std::string& path, const std::vector<std::string>& ids) : path_(path) {
    for (std::size_t i = 0; i < ids.size(); ++i)
      rows_of_[ids[i]].push_back(i);
    is_set_.resize(ids.size());
  }

  LabelTable read() {
    io::TextReader lines(path_);
    std::string line;
    std::vector<std::string_view> fields;
    while (lines.next(line)) {
      if (line.empty() || line.starts_with("##")) continue;
      split_tabs(line, fields);
      where_ = fmt::format("line {}", lines.number());
      if (table_.columns.empty() && take_header(fields)) continue;
      take(fields);
    }
    if (table_.columns.empty()) throw InputError(path_, "", "holds no labels");
    if (n_matched_ == 0) {
      throw InputError(path_, "", "none of its ids is one of the embedding (first column wanted)");
    }
    for (const bool is_set : is_set_)
      table_.n_unlabelled += is_set ? 0 : 1;
    return std::move(table_);
  }

 private:
  /// True if the line was a header; either way the columns have names now.
  bool take_header(const std::vector<std::string_view>& fields) {
    if (fields.size() < 2) {
      throw InputError(path_, where_,
                       "has one column; id and label, with a tab between, are wanted");
    }
    const bool is_header = rows_of_.find(std::string(fields[0])) == rows_of_.end();
    for (std::size_t i = 1; i < fields.size(); ++i) {
      std::string name = i == 1 ? "label" : fmt::format("label{}", i);
      if (is_header) name = std::string(fields[i]);
      table_.columns.push_back(name);
      if (!table_.values.emplace(name, std::vector<std::string>(is_set_.size())).second) {
        throw InputError(path_, where_, fmt::format("names column '{}' twice", name));
      }
    }
    return is_header;
  }

  void take(const std::vector<std::string_view>& fields) {
    if (fields.size() != table_.columns.size() + 1) {
      throw InputError(path_, where_,
                       fmt::format("has {} fields, the first line {}", fields.size(),
                                   table_.columns.size() + 1));
    }
    const auto found = rows_of_.find(std::string(fields[0]));
    if (found == rows_of_.end()) {
      ++table_.n_unused;
      return;
    }
    ++n_matched_;
    for (const std::size_t row : found->second) {
      for (std::size_t i = 0; i < table_.columns.size(); ++i) {
        std::string& value = table_.values[table_.columns[i]][row];
        if (is_set_[row] && value != fields[i + 1]) {
          throw InputError(path_, where_,
                           fmt::format("gives record {} another {} than a line before", fields[0],
                                       table_.columns[i]));
        }
        value = std::string(fields[i + 1]);
      }
      is_set_[row] = true;
    }
  }

  const std::string& path_;
  std::unordered_map<std::string, std::vector<std::size_t>> rows_of_;
  std::vector<bool> is_set_;
  LabelTable table_;
  std::string where_;
  std::size_t n_matched_ = 0;
};

}  // namespace

LabelTable read_labels(const std::string& path, const std::vector<std::string>& ids) {
  return LabelReader(path, ids).read();
}

}  // namespace genomamba::report
