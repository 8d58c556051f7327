// SPDX-License-Identifier: MIT
#include "genomamba/io/output_check.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

/// Status of a regular file; false for what is not there and for devices and pipes, which may serve
/// both ways.
bool regular_file(const std::string& path, int standard_stream, struct stat& info) {
  const int failed = path == "-" ? ::fstat(standard_stream, &info) : ::stat(path.c_str(), &info);
  return failed == 0 && S_ISREG(info.st_mode);
}

bool same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void check_against_inputs(const std::string& output, std::span<const std::string> inputs) {
  struct stat out {};
  if (!regular_file(output, STDOUT_FILENO, out)) return;
  for (const std::string& input : inputs) {
    struct stat in {};
    if (!regular_file(input, STDIN_FILENO, in) || !same(in, out)) continue;
    throw UsageError((output == "-" ? std::string("stdout") : output) +
                     ": is an input and an output at once");
  }
}

}  // namespace

void check_outputs(std::span<const std::string> outputs, std::span<const std::string> inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    check_against_inputs(outputs[i], inputs);
    struct stat mine {};
    const bool exists = regular_file(outputs[i], STDOUT_FILENO, mine);
    for (std::size_t j = 0; j < i; ++j) {
      struct stat other {};
      if (outputs[i] == outputs[j] ||
          (exists && regular_file(outputs[j], STDOUT_FILENO, other) && same(mine, other))) {
        throw UsageError(outputs[i] + ": is named for two outputs");
      }
    }
  }
}

}  // namespace genomamba::io
