// SPDX-License-Identifier: MIT
// OutputFile: a file that appears whole under its name, or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace genomamba::io {

/// Written under a temporary name in the same directory; commit() flushes, fsyncs, closes, renames,
/// each step checked. Destroyed without commit: the temporary file is removed. "-", a device or a
/// FIFO is written directly. Names ending in .gz are BGZF. Temporary files still open are removed
/// by remove_temporary_files() too.
class OutputFile {
 public:
  /// Throws OutputError: directory missing, not writable.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws OutputError; BrokenPipe when the path is stdout and its reader went away.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Overwrites bytes at the start (an .npy header known only at the end). Only for plain regular
  /// files.
  void write_at_start(std::span<const std::byte> bytes);
  /// BGZF: the virtual offset of the next byte, for an index made on the way.
  std::uint64_t virtual_offset() const noexcept;
  /// True if write_at_start() works: a plain regular file.
  bool is_seekable() const noexcept;
  /// First half of commit(): every byte is accepted and on disk, the file has still its temporary
  /// name. Nothing may be written after it. For outputs that should appear together:
  /// finish_writing() of all, then commit() of all.
  void finish_writing();
  /// finish_writing(), then the file takes its name. Throws OutputError, BrokenPipe.
  void commit();
  const std::string& path() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Removes the temporary files of every OutputFile now open; async-signal-safe, for signal
/// handlers.
void remove_temporary_files() noexcept;

/// True if both names lead to the same existing file (an output that is also an input).
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace genomamba::io
