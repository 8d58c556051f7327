// SPDX-License-Identifier: MIT
// What several apps do with the words of an option: tables of choices, numbers.
#pragma once

#include <charconv>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "genomamba/core/error.hpp"

namespace genomamba::apps {

/// The words of a table of choices, for CLI::IsMember.
template <typename Value>
std::vector<std::string> keys(const std::map<std::string, Value>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices)
    words.push_back(word);
  return words;
}

/// A number from 0 in the text of option `name`. Throws UsageError for anything else.
template <typename Number>
Number parse_number(const std::string& text, const std::string& name) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 0) return value;
  throw UsageError(name + " " + text + ": a " + (std::is_integral_v<Number> ? "whole " : "") +
                   "number from 0 is wanted");
}

}  // namespace genomamba::apps
