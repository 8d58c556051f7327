// SPDX-License-Identifier: MIT
#include "fasta_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <unordered_set>

#include "genomamba/core/error.hpp"
#include "line_reader.hpp"

namespace genomamba::io {
namespace {

bool is_letter(char c) {
  return c > ' ' && c < '\x7f';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of(" \t\r\n"), text.size()));
}

/// Builds the entries line by line; see scan_fasta for what is refused.
class FastaScan {
 public:
  FastaScan(TextScanner& scanner, const std::string& path) : scanner_(scanner), path_(path) {}

  std::vector<FastaEntry> run() {
    while (scanner_.peek() >= 0) {
      if (scanner_.peek() == '>') {
        read_header();
      } else {
        read_sequence_line();
      }
    }
    return std::move(entries_);
  }

 private:
  /// One line of sequence: its letters, then blanks and the line end.
  struct Line {
    std::uint64_t n_letters = 0;
    std::uint64_t n_bytes = 0;
  };

  [[noreturn]] void fail(const std::string& reason) const {
    const std::string contig = entries_.empty() ? "" : "contig " + entries_.back().name + ", ";
    throw InputError(path_, fmt::format("{}line {}", contig, scanner_.line()), reason);
  }

  void read_header() {
    std::string header;
    for (bool ends = false; !ends;) {
      const TextScanner::Piece piece = scanner_.next_piece();
      ends = piece.ends_line;
      header += piece.text;
    }
    offset_ += header.size() + 1;
    const std::size_t cr = header.find('\r');
    if (cr != std::string::npos && cr + 1 < header.size()) {
      fail(
          "a CR inside the header: lines must end with LF or CR LF (old Mac line ends are not "
          "read)");
    }
    const std::string_view name = first_word(std::string_view(header).substr(1));
    if (name.empty()) fail("a record without a name cannot be indexed");
    if (!names_.insert(std::string(name)).second) {
      fail(fmt::format("the name {} occurs twice, so a region of it has no meaning; rename one",
                       name));
    }
    entries_.push_back({std::string(name), 0, offset_, 0, 0});
    is_ended_ = false;
  }

  void read_sequence_line() {
    const Line line = measure_line();
    if (line.n_letters == 0) {
      // Blank lines: fine before the first record and after a sequence.
      if (!entries_.empty() && entries_.back().length > 0)
        ended_by("a blank line stands inside the sequence");
      if (!entries_.empty() && entries_.back().length == 0) entries_.back().offset = offset_;
      return;
    }
    if (entries_.empty()) fail("no FASTA: a line before the first > header");
    FastaEntry& entry = entries_.back();
    if (is_ended_)
      fail(end_reason_ + " (line " + std::to_string(end_line_) +
           "): wrap the sequence evenly, e.g. with seqkit seq -w 60");
    if (entry.length == 0) {
      entry.line_bases = line.n_letters;
      entry.line_width = line.n_bytes;
    } else if (line.n_letters > entry.line_bases) {
      fail(
          fmt::format("a line of {} letters among lines of {}: wrap the sequence evenly, e.g. with "
                      "seqkit seq -w 60",
                      line.n_letters, entry.line_bases));
    }
    entry.length += line.n_letters;
    if (line.n_letters < entry.line_bases) {
      ended_by(
          fmt::format("a line of {} letters among lines of {}", line.n_letters, entry.line_bases));
    } else if (line.n_bytes != entry.line_width) {
      ended_by("another kind of line end (LF and CR LF are mixed)");
    }
  }

  /// Only blank lines may follow in this contig.
  void ended_by(std::string reason) {
    if (is_ended_) return;
    is_ended_ = true;
    end_reason_ = std::move(reason);
    end_line_ = scanner_.line();
  }

  Line measure_line() {
    Line line;
    std::uint64_t n_trailing = 0;  ///< blanks after the last letter so far
    for (bool ends = false; !ends;) {
      const TextScanner::Piece piece = scanner_.next_piece();
      ends = piece.ends_line;
      line.n_bytes += piece.text.size();
      const auto n_letters = static_cast<std::uint64_t>(
          std::count_if(piece.text.begin(), piece.text.end(), is_letter));
      if (n_letters == piece.text.size() && n_trailing == 0) {
        line.n_letters += n_letters;
        continue;
      }
      for (const char c : piece.text) {
        if (is_blank(c)) {
          ++n_trailing;
          continue;
        }
        if (!is_letter(c))
          fail(fmt::format("byte 0x{:02x} in the sequence", static_cast<unsigned char>(c)));
        if (n_trailing > 0 && line.n_letters > 0) {
          fail(
              "a blank or CR stands between letters: line ends are not LF or CR LF, or the line "
              "holds blanks");
        }
        ++line.n_letters;
        n_trailing = 0;
      }
    }
    ++line.n_bytes;  // the line end; one too many at an end without one, where nothing follows
    offset_ += line.n_bytes;
    return line;
  }

  TextScanner& scanner_;
  const std::string& path_;
  std::vector<FastaEntry> entries_;
  std::unordered_set<std::string> names_;
  std::uint64_t offset_ = 0;
  bool is_ended_ = false;
  std::string end_reason_;
  std::uint64_t end_line_ = 0;
};

/// Bytes [begin, end) of the text; fewer at its end.
std::string text_at(ReferenceBytes& bytes, std::uint64_t begin, std::uint64_t end) {
  std::string text(end - begin, '\0');
  text.resize(bytes.read_at(begin, text.data(), text.size()));
  return text;
}

/// What is wrong with the text between two sequences, which should be blank lines and the header of
/// `entry`.
std::optional<std::string> find_header_fault(const FastaEntry& entry, std::uint64_t begin,
                                             ReferenceBytes& bytes) {
  constexpr std::uint64_t kLongestHeader = std::uint64_t{1} << 24;
  if (entry.offset <= begin || entry.offset - begin > kLongestHeader)
    return entry.name + " does not begin there";
  const std::string between = text_at(bytes, begin, entry.offset);
  const std::size_t mark = between.find('>');
  const bool is_blank_before = std::all_of(
      between.begin(),
      between.begin() + static_cast<std::ptrdiff_t>(std::min(mark, between.size())), is_blank);
  if (mark == std::string::npos || !is_blank_before || between.size() != entry.offset - begin) {
    return entry.name + " does not begin there";
  }
  const std::string_view header = std::string_view(between).substr(mark + 1);
  if (first_word(header) != entry.name) {
    return fmt::format("{} stands where {} is expected", first_word(header), entry.name);
  }
  // A contig without bases may be followed by blank lines that belong to no header.
  const std::size_t end = header.find('\n');
  const bool is_adjacent =
      end != std::string_view::npos &&
      std::all_of(header.begin() + static_cast<std::ptrdiff_t>(end), header.end(), is_blank);
  if (!is_adjacent) return entry.name + " does not begin there";
  return std::nullopt;
}

}  // namespace

std::vector<FastaEntry> read_fai(const std::string& path) {
  LineReader lines(path);
  std::vector<FastaEntry> entries;
  std::string line;
  while (lines.next(line)) {
    if (line.empty()) continue;
    FastaEntry entry;
    std::size_t at = line.find('\t');
    entry.name = line.substr(0, at);
    bool is_good = at != std::string::npos && !entry.name.empty();
    for (std::uint64_t* number :
         {&entry.length, &entry.offset, &entry.line_bases, &entry.line_width}) {
      if (!is_good) break;
      const char* const begin = line.data() + at + 1;
      const auto [end, error] = std::from_chars(begin, line.data() + line.size(), *number);
      is_good = error == std::errc() && end != begin;
      at = static_cast<std::size_t>(end - line.data());
      is_good = is_good && (at == line.size() || line[at] == '\t');
    }
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 62;
    is_good = is_good && entry.length < kLargest && entry.offset < kLargest &&
              entry.line_width < kLargest && entry.line_width >= entry.line_bases &&
              (entry.length == 0 || entry.line_bases > 0);
    if (!is_good)
      throw InputError(path, fmt::format("line {}", lines.number()), "is no line of a .fai");
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<FastaEntry> scan_fasta(TextScanner& scanner, const std::string& name) {
  return FastaScan(scanner, name).run();
}

std::optional<std::string> find_index_fault(const std::vector<FastaEntry>& entries,
                                            ReferenceBytes& bytes) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return entries[a].offset < entries[b].offset; });
  std::unordered_set<std::string_view> names;
  std::uint64_t begin = 0;
  for (const std::size_t i : order) {
    if (!names.insert(entries[i].name).second) return entries[i].name + " occurs twice";
    if (auto fault = find_header_fault(entries[i], begin, bytes)) return fault;
    begin = entries[i].end_byte();
  }
  constexpr std::uint64_t kPiece = 4096;
  for (;; begin += kPiece) {
    const std::string rest = text_at(bytes, begin, begin + kPiece);
    if (!std::all_of(rest.begin(), rest.end(), is_blank))
      return std::string("more sequence follows the last contig");
    if (rest.size() < kPiece) return std::nullopt;
  }
}

}  // namespace genomamba::io
