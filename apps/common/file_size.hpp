// SPDX-License-Identifier: MIT
// Size of an input, for the report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace genomamba::apps {

/// Bytes of a regular file; nothing for "-", pipes, devices and files that do not exist.
std::optional<std::uint64_t> file_size(const std::string& path);

}  // namespace genomamba::apps
