// SPDX-License-Identifier: MIT
// Coloring: a class and a shape for each value of a column, and what they mean. Private to report.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "figure.hpp"

namespace genomamba::report {

/// Categories: the eight most frequent values have a colour and shape each, in the order of their
/// counts; the others share a ninth. Numbers: seven bins between the smallest and the largest, of
/// equal width, or of equal ratio if all are positive and the largest is at least 20 times the
/// smallest. Empty values are "none".
struct Coloring {
  std::string column;
  bool is_numeric = false;
  std::vector<LegendEntry> entries;
  std::vector<std::size_t> entry_of;  ///< one a value
};

/// A column of numbers with more than 12 different ones is numeric.
Coloring color_values(const std::string& column, std::span<const std::string> values);

/// Categories for counting: every different value, by its first occurrence.
struct Categories {
  std::vector<std::string> names;
  std::vector<std::size_t> counts;
  std::vector<std::size_t> of;  ///< one a value
};
Categories categories_of(std::span<const std::string> values);

}  // namespace genomamba::report
