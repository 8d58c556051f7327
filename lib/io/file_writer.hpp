// SPDX-License-Identifier: MIT
// FileWriter: bytes to a descriptor, every one accounted for. Private to io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace genomamba::io {

/// Buffers, then writes plain or as BGZF blocks. Owns the descriptor. Interrupted and short writes
/// are taken up again.
class FileWriter {
 public:
  /// `name` is what messages call the output; `is_stdout` decides what a broken pipe means.
  FileWriter(int fd, std::string name, bool is_bgzf, bool is_stdout);
  /// Closes without a check; close() is the checked way.
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Throws OutputError, BrokenPipe.
  void write(std::span<const std::byte> bytes);
  /// Overwrites the first bytes of a plain seekable file.
  void write_at_start(std::span<const std::byte> bytes);
  /// Writes what is buffered and, for BGZF, the end-of-file block; nothing may be written after it.
  void finish();
  void sync();
  void close();
  /// BGZF: the place of the next byte as indexes write it: offset of its block << 16 | offset
  /// inside the block.
  std::uint64_t virtual_offset() const noexcept { return n_written_ << 16 | buffer_.size(); }

 private:
  void flush();
  void write_out(std::span<const std::byte> bytes);
  [[noreturn]] void fail(const char* what, int error_number) const;

  int fd_;
  std::string name_;
  bool is_bgzf_;
  bool is_stdout_;
  std::uint64_t n_written_ = 0;        ///< bytes that have left
  std::vector<std::byte> buffer_;      ///< at most one block of input
  std::vector<std::byte> compressed_;  ///< room for one BGZF block
};

}  // namespace genomamba::io
