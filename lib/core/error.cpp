// SPDX-License-Identifier: MIT
#include "genomamba/core/error.hpp"

#include <system_error>

namespace genomamba {
namespace {

std::string join(std::string_view path, std::string_view where, std::string_view reason) {
  std::string message(path);
  if (!where.empty()) message.append(": ").append(where);
  return message.append(": ").append(reason);
}

std::string errno_text(int error_number) {
  return error_number == 0 ? std::string() : std::generic_category().message(error_number);
}

}  // namespace

InputError::InputError(std::string_view path, std::string_view where, std::string_view reason)
    : Error(join(path, where, reason)) {}

CheckpointError::CheckpointError(std::string_view path, std::string_view where,
                                 std::string_view reason)
    : Error(join(path, where, reason)) {}

OutputError::OutputError(std::string_view path, std::string_view reason, int error_number)
    : Error(error_number == 0 ? join(path, "", reason)
                              : join(path, reason, errno_text(error_number))) {}

}  // namespace genomamba
