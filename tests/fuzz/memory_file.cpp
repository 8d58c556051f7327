// SPDX-License-Identifier: MIT
#include "memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace genomamba::fuzz {

const std::string& write_memory_file(std::string_view bytes) {
  static const int fd = ::memfd_create("fuzz", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(fd);
  const bool is_written =
      fd >= 0 && ::ftruncate(fd, 0) == 0 &&
      ::pwrite(fd, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
  if (!is_written) std::abort();
  return path;
}

}  // namespace genomamba::fuzz
