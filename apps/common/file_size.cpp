// SPDX-License-Identifier: MIT
#include "common/file_size.hpp"

#include <sys/stat.h>

namespace genomamba::apps {

std::optional<std::uint64_t> file_size(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(info.st_size);
}

}  // namespace genomamba::apps
