// SPDX-License-Identifier: MIT
// TextReader: the lines of a text file, plain or compressed; first_bytes: how a file begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace genomamba::io {

/// Lines come without their end (LF or CR LF). A byte order mark at the start is skipped. One
/// thread at a time.
class TextReader {
 public:
  /// Plain, gzip, BGZF or zstd. Throws InputError: missing, not readable, unknown compression.
  explicit TextReader(const std::string& path);
  ~TextReader();
  TextReader(TextReader&&) noexcept;

  /// False at the end. Throws InputError: truncated; a line longer than 16 MiB; a CR inside a line.
  bool next(std::string& line);
  /// 1-based number of the last line.
  std::uint64_t number() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Up to `n` bytes of the start of a file, decompressed. Throws
/// InputError: missing, not a regular file, unknown compression.
std::string first_bytes(const std::string& path, std::size_t n);

}  // namespace genomamba::io
