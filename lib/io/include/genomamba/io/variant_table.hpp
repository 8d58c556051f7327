// SPDX-License-Identifier: MIT
// VariantTable: one row an ALT: contig pos id ref alt llr skip.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/io/variant_record.hpp"

namespace genomamba::io {

/// Tab-separated under "##" lines of provenance and one header line; `pos` is 1-based. One thread
/// at a time. The file appears by commit(), whole.
class VariantTable {
 public:
  /// Throws OutputError.
  VariantTable(const std::string& path, const std::vector<std::string>& provenance);
  ~VariantTable();

  /// `alt` of a record without ALT is 0. NaN and an empty `skip` are ".". Throws OutputError.
  void write(const VariantRecord& record, std::size_t alt, double llr, std::string_view skip);
  void finish_writing();
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::io
