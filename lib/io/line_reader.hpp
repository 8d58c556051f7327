// SPDX-License-Identifier: MIT
// LineReader: the lines of a small text file (BED, .fai), plain or compressed. Private to io.
#pragma once

#include <cstdint>
#include <string>

#include "text_scanner.hpp"

namespace genomamba::io {

/// Lines come without their end (LF or CR LF). A byte order mark at the start is skipped.
class LineReader {
 public:
  /// "-": stdin. Throws InputError: missing, not readable, unknown compression.
  explicit LineReader(const std::string& path);

  /// False at the end. Throws InputError: truncated; a line longer than 16 MiB; a CR inside a line.
  bool next(std::string& line);
  /// 1-based number of the last line.
  std::uint64_t number() const { return scanner_.line(); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  TextScanner scanner_;
};

}  // namespace genomamba::io
