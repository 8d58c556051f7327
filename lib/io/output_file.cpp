// SPDX-License-Identifier: MIT
#include "genomamba/io/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>

#include "file_writer.hpp"
#include "genomamba/core/error.hpp"
#include "output_target.hpp"
#include "temporary_files.hpp"

namespace genomamba::io {
namespace {

constexpr mode_t kDefaultMode = 0666;  // the umask takes its part
constexpr int kLastStandardDescriptor = STDERR_FILENO;

/// open() that never returns 0, 1 or 2: with a closed stdout, the output would otherwise become
/// stdout.
int open_above_standard(const std::string& path, int flags, mode_t mode) {
  int fd = -1;
  do {
    fd = open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0 || fd > kLastStandardDescriptor) return fd;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, kLastStandardDescriptor + 1);
  const int reason = errno;
  close(fd);
  errno = reason;
  return moved;
}

/// Makes the rename itself durable. A directory that cannot be opened or synced is no reason to
/// fail: the data are.
void sync_directory(const std::string& directory) noexcept {
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

}  // namespace

struct OutputFile::Impl {
  std::string name;
  OutputTarget target;
  std::string temporary_path;  ///< empty: written directly
  std::optional<TemporaryName> temporary_name;
  std::optional<FileWriter> writer;
  bool is_bgzf = false;
  bool is_finished = false;
  bool is_committed = false;

  int open_direct() {
    if (target.descriptor) return fcntl(*target.descriptor, F_DUPFD_CLOEXEC, 3);
    return open_above_standard(target.path, O_WRONLY, 0);
  }

  /// A new file beside the target. Names hold process and number; O_EXCL settles what is left
  /// (another host).
  int open_temporary() {
    static std::atomic<unsigned> counter{0};
    constexpr int kMaxTries = 1000;
    for (int i = 0; i < kMaxTries; ++i) {
      temporary_path = directory_of(target.path) + "/.genomamba-" + std::to_string(getpid()) + "-" +
                       std::to_string(counter.fetch_add(1)) + ".tmp";
      // Registered first: a signal between the two steps must not leave the file behind.
      temporary_name.emplace(temporary_path);
      const int fd = open_above_standard(temporary_path, O_RDWR | O_CREAT | O_EXCL, kDefaultMode);
      if (fd >= 0 || errno != EEXIST) return fd;
      temporary_name.reset();
    }
    errno = EEXIST;
    return -1;
  }
};

OutputFile::OutputFile(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->name = path == "-" ? "stdout" : path;
  if (path.empty()) throw OutputError("", "the output has no name");
  impl_->target = resolve_output(path);
  impl_->is_bgzf = path.ends_with(".gz") || path.ends_with(".bgz");
  const int fd = impl_->target.is_direct ? impl_->open_direct() : impl_->open_temporary();
  if (fd < 0) {
    const int reason = errno;
    impl_->temporary_path.clear();
    throw OutputError(impl_->name, "cannot open", reason);
  }
  impl_->writer.emplace(fd, impl_->name, impl_->is_bgzf,
                        impl_->target.descriptor == std::optional<int>(STDOUT_FILENO));
  if (impl_->target.mode) (void)fchmod(fd, *impl_->target.mode);
}

OutputFile::~OutputFile() {
  if (!impl_->is_committed && impl_->writer && !impl_->temporary_path.empty()) {
    unlink(impl_->temporary_path.c_str());
  }
}

void OutputFile::write(std::span<const std::byte> bytes) {
  impl_->writer->write(bytes);
}

void OutputFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text)));
}

void OutputFile::write_at_start(std::span<const std::byte> bytes) {
  impl_->writer->write_at_start(bytes);
}

bool OutputFile::is_seekable() const noexcept {
  return !impl_->target.is_direct && !impl_->is_bgzf;
}

std::uint64_t OutputFile::virtual_offset() const noexcept {
  return impl_->writer->virtual_offset();
}

const std::string& OutputFile::path() const noexcept {
  return impl_->name;
}

void OutputFile::finish_writing() {
  if (impl_->is_finished) return;
  impl_->writer->finish();
  if (!impl_->target.is_direct) impl_->writer->sync();
  impl_->writer->close();
  impl_->is_finished = true;
}

void OutputFile::commit() {
  if (impl_->is_committed) return;
  finish_writing();
  if (!impl_->target.is_direct) {
    if (std::rename(impl_->temporary_path.c_str(), impl_->target.path.c_str()) != 0) {
      throw OutputError(impl_->name, "cannot rename the finished file", errno);
    }
    sync_directory(directory_of(impl_->target.path));
  }
  impl_->is_committed = true;
  impl_->temporary_name.reset();
}

}  // namespace genomamba::io
