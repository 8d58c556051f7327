// SPDX-License-Identifier: MIT
// IndexedText: a text of sorted genomic lines and, if it is BGZF, its tabix index, made on the way.
// Private to io.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/core/log.hpp"
#include "genomamba/io/output_file.hpp"
#include "genomamba/io/reference_reader.hpp"
#include "tabix_index.hpp"

namespace genomamba::io {

/// Lines `contig \t start \t end ...`, 0-based half-open, or those of a VCF. Not sorted: no index,
/// and one left from before is removed.
class IndexedText {
 public:
  /// `header`: lines before the first row, each beginning with '#' and ended. Throws OutputError.
  IndexedText(const std::string& path, const std::string& header,
              const std::vector<Contig>& contigs, LogSink* log, TextKind kind = TextKind::kBed);

  /// One row with its line end.
  void write_row(std::size_t contig, std::uint64_t begin, std::uint64_t end, std::string_view row) {
    file_.write(row);
    if (index_) add_to_index(contig, begin, end);
  }
  void finish_writing();
  void commit();

 private:
  void add_to_index(std::size_t contig, std::uint64_t begin, std::uint64_t end);

  std::string path_;
  const std::vector<Contig>& contigs_;
  LogSink* log_;
  OutputFile file_;
  bool wants_index_;
  std::optional<TabixIndex> index_;
};

/// "##" lines of provenance, what would end a line made a space.
std::string provenance_text(const std::vector<std::string>& lines);

}  // namespace genomamba::io
