// SPDX-License-Identifier: MIT
// A check for options that count something: CLI11 would take -1 for a huge number.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace genomamba::apps {

/// Digits alone, at most 10^18.
inline CLI::Validator whole_number() {
  return {[](const std::string& text) {
            const bool is_number = !text.empty() && text.size() <= 18 &&
                                   text.find_first_not_of("0123456789") == std::string::npos;
            return is_number ? std::string() : text + ": a whole number is wanted";
          },
          "WHOLE"};
}

}  // namespace genomamba::apps
