// SPDX-License-Identifier: MIT
// Text of others and numbers, made fit for HTML and SVG. Private to report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genomamba::report {

/// For element content and quoted attributes of HTML and XML: & < > " ' become entities; control
/// characters and bytes that are no UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

/// At most `n` characters (code points): the middle of a longer text becomes an ellipsis.
std::string shortened(std::string_view text, std::size_t n);

/// Four significant digits, a true minus sign not used (numbers can be copied); NaN is "-".
std::string number_text(double value);
/// 0.1234 is "12.3 %".
std::string percent_text(double fraction);

/// The last part of a path.
std::string_view file_name(std::string_view path);

/// Letters, digits and '-' alone, lower case, at most 60: part of a file's name or of an id.
std::string slug(std::string_view text);

std::string base64(std::span<const std::uint8_t> bytes);

/// Splits at tabs; `fields` are views of `line`.
void split_tabs(std::string_view line, std::vector<std::string_view>& fields);

/// The number that the whole text is; NaN for any other text, "." too.
double to_number(std::string_view text);

}  // namespace genomamba::report
