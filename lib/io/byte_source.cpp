// SPDX-License-Identifier: MIT
#include "byte_source.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

std::string errno_text(int error_number) {
  return std::generic_category().message(error_number);
}

int open_descriptor(const std::string& path, bool is_stdin, const std::string& name) {
  int fd = -1;
  do {
    fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                  : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  if (fd >= 0) return fd;
  if (is_stdin && errno == EBADF) throw InputError(name, "", "is closed");
  throw InputError(name, "", "cannot open: " + errno_text(errno));
}

struct Magic {
  std::string_view bytes;
  std::string_view name;
};

using namespace std::string_view_literals;

/// Compressions and archives that are refused by name.
constexpr std::array kRefused{
    Magic{"BZh"sv, "bzip2"sv},
    Magic{"\xfd\x37zXZ\0"sv, "xz"sv},
    Magic{"PK\x03\x04"sv, "zip"sv},
    Magic{"PK\x05\x06"sv, "zip"sv},
    Magic{"\x37z\xbc\xaf"sv, "7z"sv},
    Magic{"\x1f\x9d"sv, "compress (.Z)"sv},
    Magic{"\x04\x22\x4d\x18"sv, "lz4"sv},
    Magic{"LZIP"sv, "lzip"sv},
};

std::string_view refused_compression(std::string_view bytes) {
  for (const Magic& magic : kRefused) {
    if (bytes.starts_with(magic.bytes)) return magic.name;
  }
  return {};
}

}  // namespace

OpenedInput open_input(const std::string& path) {
  const bool is_stdin = path == "-" || path == "/dev/stdin";
  OpenedInput input;
  input.name = is_stdin ? "stdin" : path;
  const int fd = open_descriptor(path, is_stdin, input.name);
  if (fstat(fd, &input.at_open) != 0 || S_ISDIR(input.at_open.st_mode)) {
    const int reason = S_ISDIR(input.at_open.st_mode) ? EISDIR : errno;
    close(fd);
    throw InputError(input.name, "", reason == EISDIR ? "is a directory" : errno_text(reason));
  }
  input.file.reset(hdopen(fd, "r"));
  if (!input.file) {
    const int reason = errno;
    close(fd);
    throw InputError(input.name, "", "cannot open: " + errno_text(reason));
  }
  input.fd = fd;
  return input;
}

Compression detect_compression(const OpenedInput& input) {
  constexpr std::size_t kBgzfHeader = 18;
  std::array<char, kBgzfHeader> start{};
  const ssize_t n = hpeek(input.file.get(), start.data(), start.size());
  if (n < 0) throw InputError(input.name, "", "cannot read: " + errno_text(errno));
  const std::string_view bytes(start.data(), static_cast<std::size_t>(n));
  if (const std::string_view name = refused_compression(bytes); !name.empty()) {
    throw InputError(input.name, "",
                     std::string(name) + " compression is not supported; gzip, BGZF and zstd are");
  }
  // The second is a skippable frame, with which pzstd begins its files.
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv) ||
      (bytes.size() > 4 && bytes.substr(1).starts_with("\x2a\x4d\x18"sv))) {
    return Compression::kZstd;
  }
  if (!bytes.starts_with("\x1f\x8b"sv)) return Compression::kPlain;
  // htslib takes a file shorter than a BGZF header for plain text.
  if (bytes.size() < kBgzfHeader) throw InputError(input.name, "", "truncated gzip data");
  return Compression::kGzip;
}

bool is_cram(const OpenedInput& input) {
  constexpr std::string_view kMagic = "CRAM";
  std::array<char, kMagic.size()> start{};
  return hpeek(input.file.get(), start.data(), start.size()) ==
             static_cast<ssize_t>(kMagic.size()) &&
         std::string_view(start.data(), start.size()) == kMagic;
}

void check_unchanged(int fd, const struct stat& at_open, const std::string& name, LogSink* log) {
  struct stat now {};
  if (!S_ISREG(at_open.st_mode) || fstat(fd, &now) != 0) return;
  if (now.st_size < at_open.st_size) {
    throw InputError(name, "", "became shorter while it was being read");
  }
  const bool is_changed = now.st_size != at_open.st_size ||
                          now.st_mtim.tv_sec != at_open.st_mtim.tv_sec ||
                          now.st_mtim.tv_nsec != at_open.st_mtim.tv_nsec;
  if (is_changed && log != nullptr) {
    log->write(LogLevel::kWarning, name + ": was changed while it was being read");
  }
}

}  // namespace genomamba::io
