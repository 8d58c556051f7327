// SPDX-License-Identifier: MIT
#include "fastx_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

/// A longer header line is taken for a file of some other kind.
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;
constexpr std::string_view kBlanks = " \t\v\f";
constexpr char kFirstQuality = '!';
constexpr char kLastQuality = '~';
constexpr const char* kOldMacLines =
    "a carriage return inside the line (for old Mac line ends: tr '\\r' '\\n' < FILE)";

bool is_blank(char c) {
  return kBlanks.find(c) != std::string_view::npos;
}

/// True if no byte of `piece` needs a second look: control characters and blanks do. Written to be
/// vectorised.
bool is_plain_sequence(std::string_view piece) {
  unsigned odd = 0;
  for (char c : piece)
    odd |= static_cast<unsigned>(static_cast<unsigned char>(c) <= ' ');
  return odd == 0;
}

bool is_plain_quality(std::string_view piece) {
  unsigned odd = 0;
  for (char c : piece)
    odd |= static_cast<unsigned>(c < kFirstQuality || c > kLastQuality);
  return odd == 0;
}

std::string quoted(int c) {
  return c > ' ' && c <= '~' ? fmt::format("'{}'", static_cast<char>(c))
                             : fmt::format("the byte 0x{:02x}", c);
}

std::string_view trimmed(std::string_view text) {
  const auto is_dropped = [](char c) { return is_blank(c) || c == '\r'; };
  while (!text.empty() && is_dropped(text.back()))
    text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  return text;
}

}  // namespace

FastxReader::FastxReader(TextScanner scanner, std::string name, LogSink* log)
    : scanner_(std::move(scanner)), name_(std::move(name)), log_(log) {
  scanner_.skip_blank();
  while (scanner_.peek() == ';') {
    skip_line();
    scanner_.skip_blank();
  }
  const int first = scanner_.peek();
  if (first == '>') kind_ = Kind::kFasta;
  if (first == '@') kind_ = Kind::kFastq;
  if (first < 0 || kind_ != Kind::kEmpty) return;
  throw InputError(name_, fmt::format("line {}", scanner_.next_line()),
                   fmt::format("no FASTA or FASTQ record: the line begins with {}", quoted(first)));
}

const char* FastxReader::format() const noexcept {
  return kind_ == Kind::kFastq ? "FASTQ" : kind_ == Kind::kFasta ? "FASTA" : "empty";
}

bool FastxReader::read(SequenceRecord& record) {
  scanner_.skip_blank();
  const int first = scanner_.peek();
  if (first < 0) return false;
  if (first != (kind_ == Kind::kFastq ? '@' : '>')) {
    fail_at(scanner_.next_line(), fmt::format("the record should end here: a line that begins with "
                                              "'@' must follow, found {}",
                                              quoted(first)));
  }
  record.origin = 0;
  record.flags = 0;
  record.mate = Mate::kNone;
  record.sequence.clear();
  record.number = ++current_.number;
  read_header(record);
  if (kind_ == Kind::kFasta) {
    read_fasta_sequence(record);
  } else {
    read_fastq_sequence(record);
    read_plus_line(record);
    read_quality(record);
  }
  return true;
}

void FastxReader::read_header(SequenceRecord& record) {
  current_.id.clear();
  header_.clear();
  TextScanner::Piece piece;
  do {
    piece = scanner_.next_piece();
    header_.append(piece.text);
    if (header_.size() > kMaxHeaderBytes) {
      fail(fmt::format("the header line is longer than {} bytes", kMaxHeaderBytes));
    }
  } while (!piece.ends_line);
  const std::string_view text = trimmed(std::string_view(header_).substr(1));
  const std::size_t id_length = std::min(text.find_first_of(" \t\v\f\r"), text.size());
  record.id.assign(text.substr(0, id_length));
  record.comment.assign(trimmed(text.substr(id_length)));
  current_.id = record.id;
  if (text.find('\0') != std::string_view::npos) fail("a NUL byte in the header line");
  if (text.find('\r') != std::string_view::npos) fail(kOldMacLines);
  if (!record.id.empty()) return;
  record.id = fmt::format("record_{}", record.number);
  current_.id = record.id;
  remark(said_name_, fmt::format("line {}: the record has no name; it is called {}",
                                 scanner_.line(), record.id));
}

void FastxReader::read_fasta_sequence(SequenceRecord& record) {
  for (int c = scanner_.peek(); c >= 0 && c != '>'; c = scanner_.peek()) {
    if (c == ';') {
      skip_line();
      continue;
    }
    if (c == '@' || c == '+') {
      fail_at(scanner_.next_line(), fmt::format("a FASTA sequence line begins with {}", quoted(c)));
    }
    append_letters(record.sequence);
  }
}

void FastxReader::read_fastq_sequence(SequenceRecord& record) {
  n_sequence_lines_ = 0;
  for (int c = scanner_.peek(); c != '+'; c = scanner_.peek()) {
    if (c < 0) fail("the file ends inside the record: truncated");
    if (c == '@' || c == '>') {
      fail_at(scanner_.next_line(), fmt::format("the record has no '+' line before {}", quoted(c)));
    }
    if (append_letters(record.sequence) > 0) ++n_sequence_lines_;
  }
}

void FastxReader::read_plus_line(const SequenceRecord& record) {
  std::string text;
  TextScanner::Piece piece;
  do {
    piece = scanner_.next_piece();
    if (text.size() < kMaxHeaderBytes) text.append(piece.text);
  } while (!piece.ends_line);
  const std::string_view repeated = trimmed(std::string_view(text).substr(1));
  if (repeated.find('\r') != std::string_view::npos) fail(kOldMacLines);
  if (!repeated.empty() && repeated != trimmed(std::string_view(header_).substr(1)) &&
      repeated.substr(0, repeated.find_first_of(kBlanks)) != record.id) {
    remark(said_plus_,
           fmt::format("{}: the text after '+' is not the name; it is ignored", describe(record)));
  }
}

// Only a wrapped sequence may have a wrapped quality: then a quality line that begins with '@' is
// told from a header by the count of letters alone.
void FastxReader::read_quality(const SequenceRecord& record) {
  const std::size_t length = record.sequence.size();
  std::size_t n_quality = 0;
  while (n_quality < length && scanner_.peek() >= 0) {
    n_quality += count_quality();
    if (n_sequence_lines_ == 1 && n_quality > 0) break;
  }
  if (n_quality == length) return;
  const bool is_cut = n_quality < length && scanner_.peek() < 0;
  fail(fmt::format("{}quality length {}, sequence length {}",
                   is_cut ? "the file ends inside the record: truncated: " : "", n_quality,
                   length));
}

void FastxReader::skip_line() {
  while (!scanner_.next_piece().ends_line) {
  }
  remark(said_comment_, fmt::format("line {}: lines that begin with ';' are skipped as comments",
                                    scanner_.line()));
}

std::size_t FastxReader::append_letters(std::string& sequence) {
  const std::size_t before = sequence.size();
  has_cr_ = false;
  has_gap_ = false;
  TextScanner::Piece piece;
  do {
    piece = scanner_.next_piece();
    if (!has_cr_ && !has_gap_ && is_plain_sequence(piece.text)) {
      sequence.append(piece.text);
    } else {
      append_odd_piece(piece.text, sequence);
    }
  } while (!piece.ends_line);
  return sequence.size() - before;
}

void FastxReader::append_odd_piece(std::string_view piece, std::string& sequence) {
  for (char c : piece) {
    if (c == '\r') {
      has_cr_ = true;
    } else if (is_blank(c)) {
      has_gap_ = true;
    } else {
      if (has_cr_) fail(kOldMacLines);
      if (c == '\0') fail(fmt::format("a NUL byte at base {}", sequence.size() + 1));
      if (has_gap_ && kind_ == Kind::kFastq) {
        fail(fmt::format("a blank inside the sequence, before base {}", sequence.size() + 1));
      }
      if (has_gap_ && !sequence.empty()) {
        remark(said_blank_, fmt::format("{}, line {}: blanks inside sequence lines are skipped",
                                        describe(current_), scanner_.line()));
      }
      has_gap_ = false;
      sequence.push_back(c);
    }
  }
}

std::size_t FastxReader::count_quality() {
  std::size_t n = 0;
  has_cr_ = false;
  has_gap_ = false;
  TextScanner::Piece piece;
  do {
    piece = scanner_.next_piece();
    const bool is_plain = !has_cr_ && !has_gap_ && is_plain_quality(piece.text);
    n += is_plain ? piece.text.size() : count_odd_quality(piece.text);
  } while (!piece.ends_line);
  return n;
}

std::size_t FastxReader::count_odd_quality(std::string_view piece) {
  std::size_t n = 0;
  for (char c : piece) {
    if (c == '\r') {
      has_cr_ = true;
    } else if (is_blank(c)) {
      has_gap_ = true;
    } else {
      if (has_cr_) fail(kOldMacLines);
      if (has_gap_ || c < kFirstQuality || c > kLastQuality) {
        fail(fmt::format("no quality letter: {}",
                         has_gap_ ? "a blank" : quoted(static_cast<unsigned char>(c))));
      }
      ++n;
    }
  }
  return n;
}

void FastxReader::remark(bool& is_said, const std::string& text) {
  if (is_said || log_ == nullptr) return;
  is_said = true;
  log_->write(LogLevel::kWarning, name_ + ": " + text);
}

void FastxReader::fail_at(std::uint64_t line, const std::string& reason) const {
  throw InputError(name_, fmt::format("{}, line {}", describe(current_), line), reason);
}

}  // namespace genomamba::io
