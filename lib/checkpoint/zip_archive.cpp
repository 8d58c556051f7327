// SPDX-License-Identifier: MIT
#include "zip_archive.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "genomamba/core/error.hpp"
#include "json_text.hpp"

namespace genomamba::checkpoint {
namespace {

// Signatures and fixed sizes of PKWARE's APPNOTE 6.3.
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kZip64End = 0x06064b50;
constexpr std::uint32_t kZip64Locator = 0x07064b50;
constexpr std::uint64_t kEndBytes = 22;
constexpr std::uint64_t kMaxComment = 0xFFFF;
constexpr std::uint64_t kLocatorBytes = 20;
constexpr std::uint64_t kZip64EndBytes = 56;
constexpr std::uint64_t kLocalBytes = 30;
constexpr std::size_t kCentralBytes = 46;
constexpr std::uint64_t kMaxDirectoryBytes = std::uint64_t{100} << 20;

/// Little-endian fields of a run of bytes. The caller has checked that they are inside.
std::uint64_t field(const std::string& bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) {
    value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

std::string read_range(const ByteSource& file, std::uint64_t offset, std::uint64_t n_bytes) {
  std::string bytes(static_cast<std::size_t>(n_bytes), '\0');
  file.read_at(offset, std::as_writable_bytes(std::span<char>(bytes)));
  return bytes;
}

[[noreturn]] void fail(const ByteSource& file, const std::string& where,
                       const std::string& reason) {
  throw CheckpointError(file.path(), where, reason);
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t n_bytes = 0;
  std::uint64_t n_entries = 0;
};

/// Where the zip64 form of the end record gives the numbers that the old one cannot hold.
Directory read_zip64_end(const ByteSource& file, std::uint64_t end_offset) {
  if (end_offset < kLocatorBytes) fail(file, "", "not a complete zip file (truncated)");
  const std::string locator = read_range(file, end_offset - kLocatorBytes, kLocatorBytes);
  const std::uint64_t at = field(locator, 8, 8);
  if (field(locator, 0, 4) != kZip64Locator || at > end_offset ||
      end_offset - at < kZip64EndBytes + kLocatorBytes) {
    fail(file, "", "not a complete zip file: the zip64 record is not where it should be");
  }
  const std::string end = read_range(file, at, kZip64EndBytes);
  if (field(end, 0, 4) != kZip64End) fail(file, "", "not a complete zip file: no zip64 record");
  return {field(end, 48, 8), field(end, 40, 8), field(end, 32, 8)};
}

Directory find_directory(const ByteSource& file) {
  const std::uint64_t tail_bytes = std::min(file.size(), kEndBytes + kMaxComment);
  const std::uint64_t tail_offset = file.size() - tail_bytes;
  const std::string tail = read_range(file, tail_offset, tail_bytes);
  for (std::size_t at = tail.size() < kEndBytes ? 0 : tail.size() - kEndBytes + 1; at-- > 0;) {
    const bool is_end = field(tail, at, 4) == kEndOfDirectory &&
                        at + kEndBytes + field(tail, at + 20, 2) == tail.size();
    if (!is_end) continue;
    Directory directory{field(tail, at + 16, 4), field(tail, at + 12, 4), field(tail, at + 10, 2)};
    if (directory.offset == 0xFFFFFFFF || directory.n_bytes == 0xFFFFFFFF ||
        directory.n_entries == 0xFFFF) {
      directory = read_zip64_end(file, tail_offset + at);
    }
    const std::uint64_t limit = tail_offset + at;
    if (directory.offset > limit || directory.n_bytes > limit - directory.offset ||
        directory.n_bytes > kMaxDirectoryBytes) {
      fail(file, "", "the zip directory does not fit the file");
    }
    return directory;
  }
  fail(file, "", "not a complete zip file: its directory is missing (truncated?)");
}

struct CentralEntry {
  std::string name;
  std::uint64_t flags, method, packed_size, size, local_offset;
  std::size_t next;
};

/// Replaces fields that are all ones by those of the zip64 extra field, which holds them in this
/// order.
void apply_zip64(const std::string& extra, CentralEntry& entry) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t id = field(extra, at, 2);
    const auto end = static_cast<std::size_t>(at + 4 + field(extra, at + 2, 2));
    if (end > extra.size()) return;
    at += 4;
    if (id == 1) {
      for (std::uint64_t* value : {&entry.size, &entry.packed_size, &entry.local_offset}) {
        if (*value != 0xFFFFFFFF || at + 8 > end) continue;
        *value = field(extra, at, 8);
        at += 8;
      }
    }
    at = end;
  }
}

CentralEntry parse_central(const ByteSource& file, const std::string& bytes, std::size_t at) {
  if (at + kCentralBytes > bytes.size() || field(bytes, at, 4) != kCentralHeader) {
    fail(file, "", "the zip directory is damaged");
  }
  const auto name_bytes = static_cast<std::size_t>(field(bytes, at + 28, 2));
  const auto extra_bytes = static_cast<std::size_t>(field(bytes, at + 30, 2));
  const auto comment_bytes = static_cast<std::size_t>(field(bytes, at + 32, 2));
  CentralEntry entry;
  entry.next = at + kCentralBytes + name_bytes + extra_bytes + comment_bytes;
  if (entry.next > bytes.size()) fail(file, "", "the zip directory is damaged");
  entry.name = bytes.substr(at + kCentralBytes, name_bytes);
  entry.flags = field(bytes, at + 8, 2);
  entry.method = field(bytes, at + 10, 2);
  entry.packed_size = field(bytes, at + 20, 4);
  entry.size = field(bytes, at + 24, 4);
  entry.local_offset = field(bytes, at + 42, 4);
  apply_zip64(bytes.substr(at + kCentralBytes + name_bytes, extra_bytes), entry);
  return entry;
}

/// The local header must belong to the same entry; its own name and extra field tell where the
/// bytes begin.
ZipEntry locate(const ByteSource& file, const CentralEntry& entry, std::uint64_t limit) {
  const std::string shown = printable(entry.name);
  if ((entry.flags & 1) != 0) fail(file, shown, "this zip entry is encrypted");
  if (entry.method != 0 || entry.packed_size != entry.size) {
    fail(file, shown,
         "this zip entry is compressed, which torch.save never does; re-save the file");
  }
  if (entry.local_offset > limit || limit - entry.local_offset < kLocalBytes) {
    fail(file, shown, "this zip entry lies outside the file (truncated?)");
  }
  const std::string head = read_range(file, entry.local_offset, kLocalBytes);
  const std::uint64_t name_bytes = field(head, 26, 2);
  const std::uint64_t offset = entry.local_offset + kLocalBytes + name_bytes + field(head, 28, 2);
  if (field(head, 0, 4) != kLocalHeader || offset > limit || entry.size > limit - offset) {
    fail(file, shown, "this zip entry lies outside the file (truncated?)");
  }
  if (read_range(file, entry.local_offset + kLocalBytes, name_bytes) != entry.name) {
    fail(file, shown, "this zip entry has another name at its place");
  }
  return {offset, entry.size};
}

}  // namespace

ZipArchive::ZipArchive(std::shared_ptr<const ByteSource> file) : file_(std::move(file)) {
  const Directory directory = find_directory(*file_);
  const std::string bytes = read_range(*file_, directory.offset, directory.n_bytes);
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < directory.n_entries; ++i) {
    const CentralEntry entry = parse_central(*file_, bytes, at);
    at = entry.next;
    if (!entries_.emplace(entry.name, locate(*file_, entry, directory.offset)).second) {
      fail(*file_, printable(entry.name), "this zip entry is there twice");
    }
  }
}

const ZipEntry* ZipArchive::find(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

std::string ZipArchive::read(const std::string& name, std::uint64_t max_bytes) const {
  const ZipEntry* entry = find(name);
  if (entry == nullptr) fail(*file_, printable(name), "this zip entry is missing");
  if (entry->size > max_bytes) {
    fail(*file_, printable(name), std::to_string(entry->size) + " bytes are too many for it");
  }
  return read_range(*file_, entry->offset, entry->size);
}

}  // namespace genomamba::checkpoint
