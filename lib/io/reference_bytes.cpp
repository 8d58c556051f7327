// SPDX-License-Identifier: MIT
#include "reference_bytes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

/// Decompressing this much on the way is cheaper than a seek, which starts a block anew.
constexpr std::uint64_t kSkip = std::uint64_t{1} << 16;

std::uint64_t little_endian(const unsigned char* bytes, std::size_t n) {
  std::uint64_t value = 0;
  for (std::size_t i = n; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

/// Size of the BGZF block whose header these bytes are, from its extra field BC; 0 if they are none
/// (SAM specification, 4.1).
std::size_t block_size(const unsigned char* header, std::size_t n) {
  constexpr std::size_t kFixed = 12;
  if (n < kFixed || header[0] != 0x1f || header[1] != 0x8b || header[2] != 8 ||
      (header[3] & 4) == 0)
    return 0;
  const std::size_t end = std::min(n, kFixed + little_endian(header + 10, 2));
  for (std::size_t i = kFixed; i + 4 <= end;) {
    const std::size_t length = little_endian(header + i + 2, 2);
    const bool is_block_size = header[i] == 'B' && header[i + 1] == 'C' && length == 2;
    if (is_block_size && i + 6 <= end) return little_endian(header + i + 4, 2) + 1;
    i += 4 + length;
  }
  return 0;
}

}  // namespace

ReferenceBytes::ReferenceBytes(const std::string& path) {
  struct stat before {};
  if (path == "-" ||
      (stat(path.c_str(), &before) == 0 && !S_ISREG(before.st_mode) && !S_ISDIR(before.st_mode))) {
    throw InputError(
        path == "-" ? "stdin" : path, "",
        "is a pipe or a device: a reference is read at many places and must be a regular file");
  }
  OpenedInput input = open_input(path);
  name_ = input.name;
  at_open_ = input.at_open;
  fd_ = input.fd;
  const Compression compression = detect_compression(input);
  if (compression == Compression::kZstd) {
    throw InputError(name_, "",
                     "zstd allows no random access; decompress it, or compress it with bgzip");
  }
  bgzf_.reset(bgzf_hopen(input.file.get(), "r"));
  if (!bgzf_) throw InputError(name_, "", "cannot read the start of the file");
  (void)input.file.release();
  if (compression == Compression::kPlain) return;
  if (bgzf_->is_gzip) {
    throw InputError(
        name_, "",
        "is compressed with gzip, not with bgzip, so its contigs cannot be reached one by one: "
        "gunzip it, or compress it anew with bgzip");
  }
  walk_blocks();
}

std::size_t ReferenceBytes::pread_all(std::uint64_t offset, char* buffer, std::size_t size) const {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = pread(fd_, buffer + done, size - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw InputError(name_, "", "cannot read: " + std::generic_category().message(errno));
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

void ReferenceBytes::walk_blocks() {
  // Each step reads the last four bytes of a block (the size of its text) and the header of the
  // next.
  constexpr std::size_t kSizeBytes = 4;
  constexpr std::size_t kHeader = 64;
  std::array<char, kSizeBytes + kHeader> buffer{};
  const auto* const bytes = reinterpret_cast<const unsigned char*>(buffer.data());
  std::size_t n = pread_all(0, buffer.data() + kSizeBytes, kHeader);
  std::uint64_t text_offset = 0;
  bool is_last_empty = false;
  for (std::uint64_t offset = 0; offset < file_size();) {
    const std::size_t size = block_size(bytes + kSizeBytes, n);
    constexpr std::size_t kBlockHeader = 18;  // SAM specification 4.1, with the BC field alone
    if (size < kSizeBytes && n < kBlockHeader)
      throw InputError(name_, "", "truncated BGZF data (the file ends inside a block's header)");
    if (size < kSizeBytes)
      throw InputError(name_, "", "is no BGZF file any more at byte " + std::to_string(offset));
    if (offset + size > file_size())
      throw InputError(name_, "", "truncated BGZF data (unexpected end of file)");
    blocks_.push_back({offset, text_offset});
    offset += size;
    n = pread_all(offset - kSizeBytes, buffer.data(), buffer.size());
    n = n > kSizeBytes ? n - kSizeBytes : 0;
    const std::uint64_t text_size = little_endian(bytes, kSizeBytes);
    text_offset += text_size;
    is_last_empty = text_size == 0;
  }
  if (!is_last_empty) {
    throw InputError(
        name_, "",
        "no BGZF end-of-file block: the file may be truncated (if it is whole, add the block: "
        "bgzip -dc FILE | bgzip)");
  }
}

std::size_t ReferenceBytes::read_at(std::uint64_t offset, char* buffer, std::size_t size) {
  return is_bgzf() ? read_bgzf(offset, buffer, size) : pread_all(offset, buffer, size);
}

std::size_t ReferenceBytes::read_bgzf(std::uint64_t offset, char* buffer, std::size_t size) {
  const auto fail = [this] { throw InputError(name_, "", "corrupt BGZF data"); };
  if (offset < text_position_ || offset - text_position_ > kSkip) {
    const auto after =
        std::upper_bound(blocks_.begin(), blocks_.end(), offset,
                         [](std::uint64_t o, const BgzfBlock& b) { return o < b.text_offset; });
    const BgzfBlock& block = *std::prev(after);
    if (bgzf_seek(bgzf_.get(), static_cast<std::int64_t>(block.file_offset << 16), SEEK_SET) < 0)
      fail();
    text_position_ = block.text_offset;
  }
  std::array<char, 4096> skipped{};
  while (text_position_ < offset) {
    const std::size_t wanted = std::min<std::uint64_t>(skipped.size(), offset - text_position_);
    const ssize_t n = bgzf_read(bgzf_.get(), skipped.data(), wanted);
    if (n < 0) fail();
    if (n == 0) return 0;
    text_position_ += static_cast<std::uint64_t>(n);
  }
  const ssize_t n = bgzf_read(bgzf_.get(), buffer, size);
  if (n < 0) fail();
  text_position_ += static_cast<std::uint64_t>(n);
  return static_cast<std::size_t>(n);
}

std::vector<BgzfBlock> read_gzi(const std::string& path) {
  const OpenedInput input = open_input(path);
  constexpr std::size_t kNumber = sizeof(std::uint64_t);
  std::array<unsigned char, 2 * kNumber> bytes{};
  const auto read_bytes = [&](std::size_t n) {
    if (hread(input.file.get(), bytes.data(), n) != static_cast<ssize_t>(n)) {
      throw InputError(path, "", "is no .gzi, or truncated");
    }
  };
  read_bytes(kNumber);
  const std::uint64_t n_entries = little_endian(bytes.data(), kNumber);
  std::vector<BgzfBlock> entries;
  for (std::uint64_t i = 0; i < n_entries; ++i) {
    read_bytes(2 * kNumber);
    entries.push_back(
        {little_endian(bytes.data(), kNumber), little_endian(bytes.data() + kNumber, kNumber)});
  }
  return entries;
}

}  // namespace genomamba::io
