// SPDX-License-Identifier: MIT
// ZipArchive: the directory of a zip file whose entries are stored, not compressed (what torch.save
// writes).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "genomamba/checkpoint/byte_source.hpp"

namespace genomamba::checkpoint {

struct ZipEntry {
  std::uint64_t offset = 0;  ///< of its bytes in the file
  std::uint64_t size = 0;
};

/// Nothing is ever extracted: an entry is a range of the file, its name only a key. Names are
/// unique.
class ZipArchive {
 public:
  /// Throws CheckpointError: not a zip, truncated, an entry compressed, encrypted, twice there or
  /// out of bounds.
  explicit ZipArchive(std::shared_ptr<const ByteSource> file);

  const std::unordered_map<std::string, ZipEntry>& entries() const { return entries_; }
  /// The entry of that name, or null.
  const ZipEntry* find(const std::string& name) const;
  /// The bytes of an entry; throws CheckpointError when it has more than `max_bytes`.
  std::string read(const std::string& name, std::uint64_t max_bytes) const;

 private:
  std::shared_ptr<const ByteSource> file_;
  std::unordered_map<std::string, ZipEntry> entries_;
};

}  // namespace genomamba::checkpoint
