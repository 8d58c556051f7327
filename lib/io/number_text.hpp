// SPDX-License-Identifier: MIT
// Numbers as text, whatever the locale. Private to io.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace genomamba::io {

inline void append_number(std::string& text, std::uint64_t value) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

/// Decimals with a fixed number of digits, rounded half away from zero; never "-0". NaN gives ".".
class FixedDecimals {
 public:
  /// `precision`: 0 to 9; negative: rounded() changes nothing (and there is no text).
  explicit FixedDecimals(int precision) : precision_(precision) {
    for (int i = 0; i < precision; ++i)
      scale_ *= 10;
  }

  void append(std::string& text, float value) const {
    if (std::isnan(value)) {
      text += '.';
      return;
    }
    std::int64_t scaled = to_integer(value);
    if (scaled < 0) {
      text += '-';
      scaled = -scaled;
    }
    append_number(text, static_cast<std::uint64_t>(scaled / scale_));
    if (precision_ == 0) return;
    text += '.';
    const std::size_t begin = text.size();
    text.resize(begin + static_cast<std::size_t>(precision_));
    std::int64_t rest = scaled % scale_;
    for (int i = precision_ - 1; i >= 0; --i) {
      text[begin + static_cast<std::size_t>(i)] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    }
  }

  /// The number that the text stands for, as a float.
  float rounded(float value) const {
    if (std::isnan(value) || precision_ < 0) return value;
    return static_cast<float>(static_cast<double>(to_integer(value)) / static_cast<double>(scale_));
  }

 private:
  /// Scores are far below 2^63 / 10^9.
  std::int64_t to_integer(float value) const {
    return std::llround(static_cast<double>(value) * static_cast<double>(scale_));
  }

  int precision_;
  std::int64_t scale_ = 1;
};

/// What FixedDecimals wrote, to the nearest double; nothing for other text ("." too).
inline std::optional<double> parse_fixed(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  std::uint64_t digits = 0;
  double scale = 1;
  bool has_point = false;
  constexpr std::size_t kMostDigits = 18;
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  for (const char c : text) {
    if (c == '.' && !has_point) {
      has_point = true;
    } else if (c >= '0' && c <= '9') {
      digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
      if (has_point) scale *= 10;
    } else {
      return std::nullopt;
    }
  }
  if (text == ".") return std::nullopt;
  const double value = static_cast<double>(digits) / scale;
  return is_negative ? -value : value;
}

}  // namespace genomamba::io
