// SPDX-License-Identifier: MIT
// Safetensors files made by hand, so that they can be wrong in any way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catch.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::test {

/// The bytes of a file with this header text and data; `length` replaces the true header length
/// when not zero.
inline std::string safetensors_bytes(std::string_view header, std::string_view data,
                                     std::uint64_t length = 0) {
  std::uint64_t n = length == 0 ? header.size() : length;
  std::string bytes;
  for (int i = 0; i < 8; ++i, n >>= 8)
    bytes += static_cast<char>(n & 0xFF);
  return bytes.append(header).append(data);
}

/// The message with which `action` stops; the test fails when it does not throw genomamba::Error.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  FAIL("no error was thrown");
  return {};
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace genomamba::test
