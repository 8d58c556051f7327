// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "genomamba/checkpoint/byte_source.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::checkpoint {
namespace {

std::string errno_text(int error_number) {
  return std::generic_category().message(error_number);
}

class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(const std::string& path) : path_(path), fd_(open_for_reading(path)) {
    try {
      first_stat_ = stat_now();
      if (!S_ISREG(first_stat_.st_mode)) {
        throw CheckpointError(
            path_, "",
            S_ISDIR(first_stat_.st_mode) ? "is a directory, not a file" : "not a regular file");
      }
    } catch (...) {
      ::close(fd_);
      throw;
    }
  }
  ~FileBytes() override { ::close(fd_); }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::uint64_t size() const noexcept override {
    return static_cast<std::uint64_t>(first_stat_.st_size);
  }
  const std::string& path() const noexcept override { return path_; }

  void read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > size() || out.size() > size() - offset) {
      throw CheckpointError(path_, "",
                            "truncated: " + std::to_string(out.size()) + " bytes wanted at " +
                                std::to_string(offset) + " of " + std::to_string(size()));
    }
    while (!out.empty()) {
      const std::size_t step = std::min<std::size_t>(out.size(), std::size_t{1} << 30);
      const ssize_t got = ::pread(fd_, out.data(), step, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw CheckpointError(path_, "", "cannot be read: " + errno_text(errno));
      if (got == 0) throw CheckpointError(path_, "", "became shorter while it was read");
      out = out.subspan(static_cast<std::size_t>(got));
      offset += static_cast<std::uint64_t>(got);
    }
  }

  void check_unchanged() const override {
    const struct stat now = stat_now();
    if (now.st_size != first_stat_.st_size || now.st_mtim.tv_sec != first_stat_.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != first_stat_.st_mtim.tv_nsec) {
      throw CheckpointError(path_, "", "was changed by another program while it was read");
    }
  }

 private:
  static int open_for_reading(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) throw CheckpointError(path, "", errno_text(errno));
    return fd;
  }
  struct stat stat_now() const {
    struct stat result {};
    if (::fstat(fd_, &result) != 0) throw CheckpointError(path_, "", errno_text(errno));
    return result;
  }

  std::string path_;
  int fd_;
  struct stat first_stat_ {};
};

class MemoryBytes final : public ByteSource {
 public:
  MemoryBytes(std::string bytes, const std::string& path) : bytes_(std::move(bytes)), path_(path) {}

  std::uint64_t size() const noexcept override { return bytes_.size(); }
  const std::string& path() const noexcept override { return path_; }
  void read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > size() || out.size() > size() - offset) {
      throw CheckpointError(path_, "", "truncated");
    }
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

 private:
  std::string bytes_;
  std::string path_;
};

}  // namespace

std::shared_ptr<const ByteSource> open_file(const std::string& path) {
  return std::make_shared<FileBytes>(path);
}

std::shared_ptr<const ByteSource> make_memory_source(std::string bytes, const std::string& path) {
  return std::make_shared<MemoryBytes>(std::move(bytes), path);
}

}  // namespace genomamba::checkpoint
