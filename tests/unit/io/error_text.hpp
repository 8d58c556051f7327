// SPDX-License-Identifier: MIT
// error_text: what a call throws, for tests of messages.
#pragma once

#include <string>
#include <string_view>

#include "genomamba/core/error.hpp"

namespace genomamba::test {

/// what() of the Error that `call` throws; "no error" if it throws none.
template <typename Call>
std::string error_text(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace genomamba::test
