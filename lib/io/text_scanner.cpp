// SPDX-License-Identifier: MIT
#include "text_scanner.hpp"

#include <cstring>

namespace genomamba::io {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

TextScanner::TextScanner(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), buffer_(kBufferBytes) {}

bool TextScanner::refill() {
  if (begin_ < end_) return true;
  if (is_at_end_) return false;
  begin_ = 0;
  end_ = source_->read(buffer_.data(), buffer_.size());
  is_at_end_ = end_ == 0;
  return !is_at_end_;
}

int TextScanner::peek() {
  return refill() ? static_cast<unsigned char>(buffer_[begin_]) : -1;
}

std::string_view TextScanner::look_ahead() {
  if (!refill()) return {};
  return {buffer_.data() + begin_, end_ - begin_};
}

TextScanner::Piece TextScanner::next_piece() {
  if (!refill()) {
    is_line_start_ = true;
    return {{}, true};
  }
  if (is_line_start_) ++line_;
  const char* const begin = buffer_.data() + begin_;
  const std::size_t available = end_ - begin_;
  const void* const found = std::memchr(begin, '\n', available);
  is_line_start_ = found != nullptr;
  if (found == nullptr) {
    begin_ = end_;
    return {{begin, available}, false};
  }
  const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - begin);
  begin_ += length + 1;
  return {{begin, length}, true};
}

void TextScanner::skip_blank() {
  while (refill() && is_blank(buffer_[begin_])) {
    if (is_line_start_) ++line_;
    is_line_start_ = buffer_[begin_++] == '\n';
  }
}

}  // namespace genomamba::io
