// SPDX-License-Identifier: MIT
#include "genomamba/io/transcript_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "genomamba/core/error.hpp"
#include "genomamba/core/sha256.hpp"
#include "line_reader.hpp"

namespace genomamba::io {
namespace {

constexpr std::size_t kColumns = 4;
constexpr std::string_view kNone = ".";
/// A node of the map with its key and the vector's block, beside what they hold.
constexpr std::size_t kEntryBytes = 160;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    fields.push_back(text.substr(0, end));
    if (end == text.size()) return fields;
    text.remove_prefix(end + 1);
  }
}

class TranscriptLine {
 public:
  explicit TranscriptLine(const LineReader& lines) : lines_(lines) {}

  std::pair<std::string, Transcript> parse(std::string_view line) const {
    const auto fields = split(line, '\t');
    if (fields.size() != kColumns || fields[0].empty()) {
      fail(fmt::format("{} columns; id, cds_start, cds_end, exon_ends are wanted, between tabs",
                       fields.size()));
    }
    return {std::string(fields[0]), to_transcript(fields)};
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(lines_.name(), fmt::format("line {}", lines_.number()), reason);
  }

 private:
  std::uint64_t to_number(std::string_view text, std::string_view what) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 62;
    if (error == std::errc() && end == text.data() + text.size() && value < kLargest) return value;
    fail(fmt::format("{} '{}' is no whole number from 0 (. stands for none)", what, text));
  }

  Transcript to_transcript(const std::vector<std::string_view>& fields) const {
    Transcript transcript;
    if ((fields[1] == kNone) != (fields[2] == kNone)) {
      fail("cds_start and cds_end: both are numbers, or both are .");
    }
    if (fields[1] != kNone) {
      transcript.cds_start = to_number(fields[1], "cds_start");
      transcript.cds_end = to_number(fields[2], "cds_end");
      if (transcript.cds_start >= transcript.cds_end) {
        fail(fmt::format("cds_start {} is not before cds_end {}", fields[1], fields[2]));
      }
    }
    if (fields[3] == kNone) return transcript;
    for (const std::string_view text : split(fields[3], ',')) {
      const std::uint64_t end = to_number(text, "exon end");
      const std::uint64_t before = transcript.exon_ends.empty() ? 0 : transcript.exon_ends.back();
      if (end <= before) fail(fmt::format("exon_ends: {} does not lie behind {}", end, before));
      transcript.exon_ends.push_back(end);
    }
    return transcript;
  }

  const LineReader& lines_;
};

}  // namespace

TranscriptTable TranscriptTable::load(const std::string& path) {
  LineReader lines(path);
  const TranscriptLine parser(lines);
  TranscriptTable table;
  table.path_ = lines.name();
  Sha256 hash;
  std::string line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t") == std::string::npos || line.starts_with('#')) continue;
    auto [id, transcript] = parser.parse(line);
    table.n_bytes_ +=
        kEntryBytes + id.size() + transcript.exon_ends.size() * 2 * sizeof(std::uint64_t);
    const auto [entry, is_new] = table.transcripts_.emplace(std::move(id), std::move(transcript));
    if (!is_new) parser.fail(fmt::format("{} has a line already", entry->first));
    line += '\n';
    hash.update(std::as_bytes(std::span(line.data(), line.size())));
  }
  table.sha256_ = hash.hex_digest();
  return table;
}

const Transcript* TranscriptTable::find(std::string_view id) const {
  const auto entry = transcripts_.find(id);
  return entry == transcripts_.end() ? nullptr : &entry->second;
}

}  // namespace genomamba::io
