// SPDX-License-Identifier: MIT
#include "line_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 24;

TextScanner open_scanner(OpenedInput input) {
  if (detect_compression(input) == Compression::kZstd) {
    return TextScanner(make_zstd_source(std::move(input), nullptr));
  }
  return TextScanner(std::make_unique<BgzfSource>(std::move(input), 0, nullptr));
}

}  // namespace

LineReader::LineReader(const std::string& path)
    : name_(path == "-" ? "stdin" : path), scanner_(open_scanner(open_input(path))) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (scanner_.look_ahead().starts_with(kByteOrderMark)) scanner_.skip_bytes(kByteOrderMark.size());
}

bool LineReader::next(std::string& line) {
  line.clear();
  if (scanner_.peek() < 0) return false;
  for (bool ends = false; !ends;) {
    const TextScanner::Piece piece = scanner_.next_piece();
    ends = piece.ends_line;
    line += piece.text;
    if (line.size() > kLongestLine) {
      throw InputError(name_, fmt::format("line {}", scanner_.line()),
                       "is longer than 16 MiB: no text of lines");
    }
  }
  if (line.ends_with('\r')) line.pop_back();
  if (line.find('\r') != std::string::npos) {
    throw InputError(
        name_, fmt::format("line {}", scanner_.line()),
        "holds a CR: lines must end with LF or CR LF (old Mac line ends are not read)");
  }
  return true;
}

}  // namespace genomamba::io
