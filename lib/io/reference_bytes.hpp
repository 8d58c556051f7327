// SPDX-License-Identifier: MIT
// ReferenceBytes: bytes at any place of a text, plain or BGZF. Private to io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "byte_source.hpp"

namespace genomamba::io {

/// Where one BGZF block begins, in the file and in the text.
struct BgzfBlock {
  std::uint64_t file_offset = 0;
  std::uint64_t text_offset = 0;
  bool operator==(const BgzfBlock&) const = default;
};

/// Not thread-safe. The blocks of a BGZF file are found by walking their headers, so a .gzi is not
/// needed.
class ReferenceBytes {
 public:
  /// Throws InputError: missing, no regular file, gzip that is not BGZF, other compression,
  /// truncated.
  explicit ReferenceBytes(const std::string& path);

  bool is_bgzf() const noexcept { return !blocks_.empty(); }
  /// Bytes of the file itself.
  std::uint64_t file_size() const noexcept { return static_cast<std::uint64_t>(at_open_.st_size); }
  const struct stat& at_open() const noexcept { return at_open_; }
  const std::vector<BgzfBlock>& blocks() const noexcept { return blocks_; }

  /// Up to `size` bytes of the text from `offset` on; fewer only at its end. Throws InputError.
  std::size_t read_at(std::uint64_t offset, char* buffer, std::size_t size);

 private:
  void walk_blocks();
  std::size_t pread_all(std::uint64_t offset, char* buffer, std::size_t size) const;
  std::size_t read_bgzf(std::uint64_t offset, char* buffer, std::size_t size);

  std::string name_;
  struct stat at_open_ {};
  int fd_ = -1;
  BgzfPtr bgzf_;  ///< owns fd_
  std::vector<BgzfBlock> blocks_;
  std::uint64_t text_position_ = 0;  ///< of bgzf_
};

/// The entries of a .gzi: every block but the first. Throws InputError: cannot be read, no .gzi.
std::vector<BgzfBlock> read_gzi(const std::string& path);

}  // namespace genomamba::io
