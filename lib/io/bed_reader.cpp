// SPDX-License-Identifier: MIT
// read_bed: regions from BED lines.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "genomamba/core/error.hpp"
#include "genomamba/io/region.hpp"
#include "line_reader.hpp"
#include "region_check.hpp"

namespace genomamba::io {
namespace {

constexpr std::size_t kNameColumn = 3;
constexpr std::size_t kStrandColumn = 5;
constexpr std::size_t kMaxColumns = 12;
constexpr std::string_view kShardMark = "#genomamba-shard ";

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Fields between tabs if there are two tabs or more, else between runs of blanks, as bedtools
/// takes them.
std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  if (std::count(line.begin(), line.end(), '\t') >= 2) {
    for (;;) {
      const std::size_t end = std::min(line.find('\t'), line.size());
      fields.push_back(line.substr(0, end));
      if (end == line.size()) return fields;
      line.remove_prefix(end + 1);
    }
  }
  constexpr std::string_view kBlanks = " \t";
  for (;;) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return fields;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

bool is_declaration(std::string_view line) {
  if (line.starts_with('#')) return true;
  for (const std::string_view word : {std::string_view("track"), std::string_view("browser")}) {
    if (!line.starts_with(word)) continue;
    const std::string_view rest = line.substr(word.size());
    // A contig may have such a name: then two numbers follow.
    const auto fields = split(line);
    const bool is_region = fields.size() >= 3 && is_digits(fields[1]) && is_digits(fields[2]);
    if ((rest.empty() || rest.front() == ' ' || rest.front() == '\t') && !is_region) return true;
  }
  return false;
}

/// A line of column names, without a digit where the numbers would stand.
bool is_header(const std::vector<std::string_view>& fields) {
  if (fields.size() < 3) return false;
  return std::all_of(fields.begin() + 1, fields.begin() + 3, [](std::string_view field) {
    return !field.empty() && field.find_first_of("0123456789") == std::string_view::npos;
  });
}

class BedReader {
 public:
  BedReader(const std::string& path, const ReferenceReader& reference, const RegionOptions& options,
            LogSink& log)
      : lines_(path), reference_(reference), options_(options), log_(log) {}

  BedFile run() {
    BedFile bed;
    std::vector<Region>& regions = bed.regions;
    std::string line;
    while (lines_.next(line)) {
      if (line.starts_with(kShardMark)) bed.shard = line.substr(kShardMark.size());
      if (line.find_first_not_of(" \t") == std::string::npos || is_declaration(line)) continue;
      const auto fields = split(line);
      if (regions.empty() && !is_header_skipped_ && is_header(fields)) {
        is_header_skipped_ = true;
        log_.write(LogLevel::kInfo, fmt::format("{}: line {}: a header line, skipped",
                                                lines_.name(), lines_.number()));
        continue;
      }
      regions.push_back(to_region(fields));
    }
    return bed;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(lines_.name(), fmt::format("line {}", lines_.number()), reason);
  }

  std::uint64_t to_number(std::string_view text, const char* what) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 62;
    if (error == std::errc() && end == text.data() + text.size() && value < kLargest) return value;
    fail(fmt::format(
        "{} '{}' is no whole number from 0 (columns are contig, start, end, separated by tabs)",
        what, text));
  }

  Region to_region(const std::vector<std::string_view>& fields) const {
    if (fields.size() < 3) {
      fail(fmt::format("{} columns, at least 3 are needed: contig, start, end, separated by tabs",
                       fields.size()));
    }
    if (fields.size() > kMaxColumns)
      fail(fmt::format("{} columns; BED has 3 to 12", fields.size()));
    Region region;
    region.begin = to_number(fields[1], "start");
    region.end = to_number(fields[2], "end");
    if (region.begin > region.end) fail(fmt::format("start {} > end {}", region.begin, region.end));
    const auto contig = reference_.find(fields[0]);
    if (!contig) {
      fail(fmt::format("no contig {} in {}; {}", fields[0], reference_.path(),
                       reference_.suggestion(fields[0])));
    }
    region.contig = *contig;
    const bool has_name = fields.size() > kNameColumn && !fields[kNameColumn].empty();
    region.has_name = has_name;
    const Contig& found = reference_.contigs()[*contig];
    region.name =
        has_name ? std::string(fields[kNameColumn]) : region_name(found, region.begin, region.end);
    if (const std::string problem = clip_region(region, found, options_.clip, log_);
        !problem.empty()) {
      fail(fmt::format("region {}: {}; --clip shortens it", region.name, problem));
    }
    if (!has_name) region.name = region_name(found, region.begin, region.end);
    if (region.length() == 0) {
      log_.write(LogLevel::kWarning,
                 fmt::format("{}: line {}: region {} has no length and gets no value",
                             lines_.name(), lines_.number(), region.name));
    }
    set_strand(region, fields);
    return region;
  }

  void set_strand(Region& region, const std::vector<std::string_view>& fields) const {
    if (fields.size() <= kStrandColumn) return;
    const std::string_view strand = fields[kStrandColumn];
    if (strand == "+" || strand == "-" || strand == ".") {
      region.strand = strand.front();
    } else if (options_.needs_strand && !strand.empty()) {
      fail(fmt::format("strand '{}' is none of + - .", strand));
    }
  }

  LineReader lines_;
  const ReferenceReader& reference_;
  const RegionOptions& options_;
  LogSink& log_;
  bool is_header_skipped_ = false;
};

}  // namespace

BedFile read_bed(const std::string& path, const ReferenceReader& reference,
                 const RegionOptions& options, LogSink& log) {
  return BedReader(path, reference, options, log).run();
}

}  // namespace genomamba::io
