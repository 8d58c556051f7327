// SPDX-License-Identifier: MIT
#include "file_writer.hpp"

#include <htslib/bgzf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

constexpr std::size_t kPlainBlock = std::size_t{1} << 18;
/// Input of one block as htslib cuts it: it fits a BGZF block even if it cannot be compressed.
constexpr std::size_t kBgzfBlock = BGZF_BLOCK_SIZE;
constexpr int kLevel = 6;

}  // namespace

FileWriter::FileWriter(int fd, std::string name, bool is_bgzf, bool is_stdout)
    : fd_(fd), name_(std::move(name)), is_bgzf_(is_bgzf), is_stdout_(is_stdout) {
  buffer_.reserve(is_bgzf_ ? kBgzfBlock : kPlainBlock);
  if (is_bgzf_) compressed_.resize(BGZF_MAX_BLOCK_SIZE);
}

FileWriter::~FileWriter() {
  if (fd_ >= 0) ::close(fd_);
}

void FileWriter::fail(const char* what, int error_number) const {
  if (is_stdout_ && error_number == EPIPE) throw BrokenPipe();
  throw OutputError(name_, what, error_number);
}

void FileWriter::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t n = std::min(bytes.size(), buffer_.capacity() - buffer_.size());
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    bytes = bytes.subspan(n);
    if (buffer_.size() == buffer_.capacity()) flush();
  }
}

void FileWriter::flush() {
  if (buffer_.empty()) return;
  if (!is_bgzf_) {
    write_out(buffer_);
  } else {
    std::size_t n = compressed_.size();
    if (bgzf_compress(compressed_.data(), &n, buffer_.data(), buffer_.size(), kLevel) != 0) {
      fail("cannot compress", 0);
    }
    write_out(std::span(compressed_).first(n));
  }
  buffer_.clear();
}

void FileWriter::write_out(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    n_written_ += static_cast<std::uint64_t>(n);
  }
}

void FileWriter::write_at_start(std::span<const std::byte> bytes) {
  flush();
  off_t offset = 0;
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd_, bytes.data(), bytes.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += n;
  }
}

void FileWriter::finish() {
  flush();
  if (!is_bgzf_) return;
  std::size_t n = compressed_.size();
  if (bgzf_compress(compressed_.data(), &n, nullptr, 0, kLevel) != 0) fail("cannot compress", 0);
  write_out(std::span(compressed_).first(n));
}

void FileWriter::sync() {
  while (fsync(fd_) != 0) {
    // Some file systems know no fsync.
    if (errno == EINVAL || errno == ENOTSUP || errno == EROFS) return;
    if (errno != EINTR) fail("cannot write", errno);
  }
}

void FileWriter::close() {
  const int fd = fd_;
  fd_ = -1;
  // The descriptor is gone even after EINTR (Linux), so it is never closed twice.
  if (::close(fd) != 0 && errno != EINTR) fail("cannot write", errno);
}

}  // namespace genomamba::io
