// SPDX-License-Identifier: MIT
#include "output_target.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <string_view>

#include "genomamba/core/error.hpp"
#include "genomamba/io/output_file.hpp"

namespace genomamba::io {
namespace {

/// Number of the open descriptor that a name stands for, if it is such a name.
std::optional<int> descriptor_of(std::string_view name) {
  if (name == "-" || name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  constexpr std::array<std::string_view, 2> kFolders{"/dev/fd/", "/proc/self/fd/"};
  for (std::string_view folder : kFolders) {
    if (!name.starts_with(folder)) continue;
    const std::string_view digits = name.substr(folder.size());
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size()) return number;
  }
  return std::nullopt;
}

std::optional<std::string> link_target(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t n = readlink(path.c_str(), target.data(), target.size());
  if (n < 0) return std::nullopt;
  const std::string text(target.data(), static_cast<std::size_t>(n));
  return text.starts_with('/') ? text : directory_of(path) + "/" + text;
}

}  // namespace

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

OutputTarget resolve_output(const std::string& name) {
  constexpr int kMaxLinks = 40;
  OutputTarget target;
  target.path = name;
  for (int n_links = 0;; ++n_links) {
    target.descriptor = descriptor_of(target.path);
    if (target.descriptor) {
      target.is_direct = true;
      return target;
    }
    const std::optional<std::string> next = link_target(target.path);
    if (!next) break;
    if (n_links == kMaxLinks) throw OutputError(name, "cannot open", ELOOP);
    target.path = *next;
  }
  struct stat status {};
  if (stat(target.path.c_str(), &status) != 0) {
    if (errno != ENOENT || target.path.ends_with('/'))
      throw OutputError(name, "cannot open", errno);
    return target;
  }
  if (S_ISDIR(status.st_mode)) throw OutputError(name, "cannot open", EISDIR);
  target.is_direct = !S_ISREG(status.st_mode);
  if (target.is_direct) return target;
  // rename() would replace a write-protected file, which no other program does.
  if (access(target.path.c_str(), W_OK) != 0) throw OutputError(name, "cannot open", errno);
  constexpr mode_t kPermissions = 07777;
  target.mode = status.st_mode & kPermissions;
  return target;
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat status_a {};
  struct stat status_b {};
  if (stat(a.c_str(), &status_a) != 0 || stat(b.c_str(), &status_b) != 0) return false;
  return status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino &&
         !S_ISCHR(status_a.st_mode);
}

}  // namespace genomamba::io
