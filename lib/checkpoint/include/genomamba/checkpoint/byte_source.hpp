// SPDX-License-Identifier: MIT
// ByteSource: the bytes of a weight file, read where and when they are wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace genomamba::checkpoint {

/// Bytes that can be read at any offset. Safe to share between threads. Reading is by copy (pread),
/// not by a memory map: a file that another process cuts short or replaces gives an error, never a
/// signal, and no page of it stays in memory beside the packed weights.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  virtual std::uint64_t size() const noexcept = 0;
  /// Fills `out` with the bytes from `offset` on. Throws CheckpointError when the source ends
  /// before that.
  virtual void read_at(std::uint64_t offset, std::span<std::byte> out) const = 0;
  /// What messages call this source: a path.
  virtual const std::string& path() const noexcept = 0;
  /// Throws CheckpointError when the file's size or time of change is no longer what it was when it
  /// was opened.
  virtual void check_unchanged() const {}
};

/// A regular file, kept open until the last user is gone. Throws CheckpointError: missing,
/// unreadable, a directory.
std::shared_ptr<const ByteSource> open_file(const std::string& path);

/// Bytes in memory (an unpacked zip entry, a test). `path` is only what messages call them.
std::shared_ptr<const ByteSource> make_memory_source(std::string bytes, const std::string& path);

}  // namespace genomamba::checkpoint
