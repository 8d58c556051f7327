// SPDX-License-Identifier: MIT
#include "genomamba/io/spill_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

std::string temporary_directory() {
  const char* const directory = std::getenv("TMPDIR");
  return directory != nullptr && *directory != '\0' ? directory : "/tmp";
}

}  // namespace

SpillFile::SpillFile() {
  std::string name = temporary_directory() + "/genomamba-XXXXXX";
  fd_ = mkostemp(name.data(), O_CLOEXEC);
  if (fd_ < 0) throw OutputError(name, "cannot make a temporary file", errno);
  unlink(name.c_str());
}

SpillFile::~SpillFile() {
  close(fd_);
}

void SpillFile::write(std::uint64_t first, std::span<const float> numbers) {
  auto bytes = std::as_bytes(numbers);
  auto offset = static_cast<off_t>(first * sizeof(float));
  while (!bytes.empty()) {
    const ssize_t n = pwrite(fd_, bytes.data(), bytes.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw OutputError(temporary_directory(),
                        "cannot write a temporary file (TMPDIR chooses where)", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += n;
  }
}

void SpillFile::read(std::uint64_t first, std::span<float> numbers) const {
  auto bytes = std::as_writable_bytes(numbers);
  auto offset = static_cast<off_t>(first * sizeof(float));
  while (!bytes.empty()) {
    const ssize_t n = pread(fd_, bytes.data(), bytes.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw OutputError(temporary_directory(), "cannot read a temporary file", errno);
    if (n == 0) {
      std::fill(bytes.begin(), bytes.end(), std::byte{0});
      return;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += n;
  }
}

}  // namespace genomamba::io
