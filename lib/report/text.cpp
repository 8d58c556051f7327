// SPDX-License-Identifier: MIT
#include "text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace genomamba::report {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

/// Bytes of the code point that begins here; 0 if it is no valid UTF-8 (RFC 3629, table of section
/// 4).
std::size_t code_point_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (byte(i) & 0xc0U) == 0x80;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (!continues(1) || !continues(2)) return 0;
    const bool is_overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool is_surrogate = first == 0xed && byte(1) > 0x9f;
    return is_overlong || is_surrogate ? 0 : 3;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    const bool is_overlong = first == 0xf0 && byte(1) < 0x90;
    const bool is_too_large = first == 0xf4 && byte(1) > 0x8f;
    return is_overlong || is_too_large ? 0 : 4;
  }
  return 0;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    case '\n':
    case '\t':
      out += c;
      return;
    default:
      break;
  }
  const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
  is_control ? out += kReplacement : out += c;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t n = code_point_bytes(text);
    if (n == 0) {
      out += kReplacement;
      text.remove_prefix(1);
      continue;
    }
    if (n == 1) {
      append_escaped(out, text.front());
    } else {
      out += text.substr(0, n);
    }
    text.remove_prefix(n);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t n) {
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < text.size();) {
    begins.push_back(at);
    at += std::max<std::size_t>(code_point_bytes(text.substr(at)), 1);
  }
  if (begins.size() <= n || n < 3) return std::string(text);
  const std::size_t head = (n - 1) / 2;
  const std::size_t tail = n - 1 - head;
  return std::string(text.substr(0, begins[head])) + "\xe2\x80\xa6" +
         std::string(text.substr(begins[begins.size() - tail]));
}

std::string number_text(double value) {
  if (std::isnan(value)) return "-";
  const bool is_whole = std::abs(value) < 1e15 && value == std::floor(value);
  if (is_whole) return fmt::format("{:.0f}", value == 0 ? 0.0 : value);
  return fmt::format("{:.4g}", value);
}

std::string percent_text(double fraction) {
  return std::isnan(fraction) ? "-" : fmt::format("{:.1f} %", fraction * 100);
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string slug(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_letter || is_capital) {
      out += is_capital ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
    if (out.size() == kLongest) break;
  }
  while (out.ends_with('-'))
    out.pop_back();
  return out.empty() ? "x" : out;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < n ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      out += j <= n ? kDigits[group >> (18 - 6 * j) & 63U] : '=';
  }
  return out;
}

void split_tabs(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return;
    line.remove_prefix(tab + 1);
  }
}

double to_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == end && !text.empty();
  return is_number ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace genomamba::report
