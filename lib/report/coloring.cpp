// SPDX-License-Identifier: MIT
#include "coloring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "text.hpp"

namespace genomamba::report {
namespace {

constexpr std::size_t kColors = 8;
constexpr std::size_t kBins = 7;
constexpr std::size_t kMostNumbersAsNames = 12;

const std::string kNone = "none";

Coloring by_name(const std::string& column, const Categories& categories) {
  Coloring coloring;
  coloring.column = column;
  std::vector<std::size_t> order(categories.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return categories.counts[a] > categories.counts[b];
  });
  std::vector<std::size_t> entry_of_category(order.size());
  std::size_t n_others = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    entry_of_category[order[i]] = std::min(i, kColors);
    if (i < kColors) {
      const std::string& name = categories.names[order[i]];
      coloring.entries.push_back({fmt::format("s{}", i), i,
                                  fmt::format("{} ({})", name.empty() ? kNone : shortened(name, 40),
                                              categories.counts[order[i]])});
    } else {
      n_others += categories.counts[order[i]];
    }
  }
  if (order.size() > kColors) {
    coloring.entries.push_back(
        {"s8", 0, fmt::format("{} others ({})", order.size() - kColors, n_others)});
  }
  for (const std::size_t category : categories.of)
    coloring.entry_of.push_back(entry_of_category[category]);
  return coloring;
}

Coloring by_number(const std::string& column, std::span<const double> numbers) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  std::size_t n_none = 0;
  for (const double number : numbers) {
    if (std::isfinite(number)) {
      low = std::min(low, number);
      high = std::max(high, number);
    } else {
      ++n_none;
    }
  }
  constexpr double kWideRatio = 20;
  const bool is_log = low > 0 && high / low >= kWideRatio;
  const auto edge = [&](std::size_t i) {
    const double part = static_cast<double>(i) / kBins;
    return is_log ? low * std::pow(high / low, part) : low + (high - low) * part;
  };
  Coloring coloring;
  coloring.column = column;
  coloring.is_numeric = true;
  for (std::size_t i = 0; i < kBins; ++i) {
    coloring.entries.push_back(
        {fmt::format("q{}", i), 0,
         fmt::format("{} to {}", number_text(edge(i)), number_text(edge(i + 1)))});
  }
  if (n_none > 0) coloring.entries.push_back({"s8", 0, fmt::format("{} ({})", kNone, n_none)});
  for (const double number : numbers) {
    std::size_t bin = 0;
    while (bin + 1 < kBins && number >= edge(bin + 1))
      ++bin;
    coloring.entry_of.push_back(std::isfinite(number) ? bin : kBins);
  }
  return coloring;
}

}  // namespace

Categories categories_of(std::span<const std::string> values) {
  Categories categories;
  std::unordered_map<std::string, std::size_t> number_of;
  for (const std::string& value : values) {
    const auto [found, is_new] = number_of.emplace(value, categories.names.size());
    if (is_new) {
      categories.names.push_back(value);
      categories.counts.push_back(0);
    }
    ++categories.counts[found->second];
    categories.of.push_back(found->second);
  }
  return categories;
}

Coloring color_values(const std::string& column, std::span<const std::string> values) {
  const Categories categories = categories_of(values);
  bool is_numeric = categories.names.size() > kMostNumbersAsNames;
  for (const std::string& name : categories.names)
    is_numeric = is_numeric && (name.empty() || name == "." || std::isfinite(to_number(name)));
  if (!is_numeric) return by_name(column, categories);
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const std::string& value : values)
    numbers.push_back(to_number(value));
  return by_number(column, numbers);
}

}  // namespace genomamba::report
