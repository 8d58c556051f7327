// SPDX-License-Identifier: MIT
// TextScanner: the lines of a text, in pieces, so that a line may be as long as memory allows.
// Private to io.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "byte_source.hpp"

namespace genomamba::io {

/// Invariant: line() is the number of the line that the last piece belongs to.
class TextScanner {
 public:
  explicit TextScanner(std::unique_ptr<ByteSource> source);

  /// A part of a line, without its '\n'. Valid until the next call of any function.
  struct Piece {
    std::string_view text;
    bool ends_line;
  };

  /// The next byte, or -1 at the end of the data.
  int peek();
  /// Up to the end of the line or of the buffer. At the end of the data: an empty piece that ends
  /// the line.
  Piece next_piece();
  /// Up to 64 KiB from the present place on, as far as they could be read at once; nothing is
  /// consumed.
  std::string_view look_ahead();
  /// Consumes spaces, tabs, CR and line ends.
  void skip_blank();
  /// Consumes `n` bytes that look_ahead() has shown and that are no part of a line (a byte order
  /// mark).
  void skip_bytes(std::size_t n) { begin_ += n; }

  /// 1-based number of the line that the next byte belongs to.
  std::uint64_t next_line() const { return line_ + (is_line_start_ ? 1 : 0); }
  /// 1-based number of the line of the last piece.
  std::uint64_t line() const { return line_; }

 private:
  bool refill();

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t line_ = 0;
  bool is_line_start_ = true;
  bool is_at_end_ = false;
};

}  // namespace genomamba::io
