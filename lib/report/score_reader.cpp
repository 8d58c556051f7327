// SPDX-License-Identifier: MIT
#include "score_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "genomamba/core/error.hpp"
#include "genomamba/io/bigwig_reader.hpp"
#include "genomamba/io/region_text.hpp"
#include "genomamba/io/text_reader.hpp"
#include "text.hpp"
#include "track_collector.hpp"

namespace genomamba::report {
namespace {

constexpr std::size_t kValueColumn = 5;  ///< of a score TSV: contig start end ref region, values

std::vector<io::NamedRegion> regions_of(const ReportOptions& options) {
  std::vector<io::NamedRegion> regions;
  for (const std::string& text : options.regions)
    regions.push_back(io::parse_region_text(text));
  return regions;
}

/// "x.logp.bw" holds logp: a word of the name between dots, if it is a score that there is.
std::string score_of_name(const std::string& path) {
  const std::string name = fmt::format(".{}.", file_name(path));
  for (const char* score :
       {"logp", "entropy", "logp_seen", "entropy_seen", "p_A", "p_C", "p_G", "p_T"}) {
    if (name.find(fmt::format(".{}.", score)) != std::string::npos) return score;
  }
  return "value";
}

std::uint64_t to_position(std::string_view text, const std::string& path, std::uint64_t line) {
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
    throw InputError(path, fmt::format("line {}", line),
                     fmt::format("'{}' is no position", shortened(text, 40)));
  }
  return value;
}

/// Which columns of a TSV are shown, as numbers of fields.
std::vector<std::size_t> columns_of(const std::vector<std::string_view>& header,
                                    const std::string& path, const ReportOptions& options) {
  std::vector<std::size_t> columns;
  for (const std::string& wanted : options.scores) {
    const auto found = std::find(header.begin() + kValueColumn, header.end(), wanted);
    if (found == header.end()) {
      throw UsageError(fmt::format("--score {}: {} has no such column", wanted, path));
    }
    columns.push_back(static_cast<std::size_t>(found - header.begin()));
  }
  if (!columns.empty()) return columns;
  for (std::size_t i = kValueColumn; i < header.size(); ++i) {
    if (!header[i].starts_with("p_")) columns.push_back(i);
  }
  if (columns.empty()) {
    for (std::size_t i = kValueColumn; i < header.size(); ++i)
      columns.push_back(i);
  }
  return columns;
}

float to_value(std::string_view text, const std::string& path, std::uint64_t line) {
  const double value = to_number(text);
  if (value != value && text != ".") {
    throw InputError(path, fmt::format("line {}", line),
                     fmt::format("'{}' is no value", shortened(text, 40)));
  }
  return static_cast<float>(value);
}

ScoreFile read_tsv(const std::string& path, const ReportOptions& options) {
  ScoreFile file;
  io::TextReader lines(path);
  std::string line;
  while (lines.next(line) && line.starts_with("##"))
    file.provenance.push_back(line.substr(2));
  std::vector<std::string_view> fields;
  split_tabs(std::string_view(line).substr(1), fields);
  const std::size_t n_fields = fields.size();
  const std::vector<std::size_t> columns = columns_of(fields, path, options);
  std::vector<std::string> scores;
  for (const std::size_t column : columns)
    scores.emplace_back(fields[column]);
  TrackCollector collector(path, scores, regions_of(options));
  std::vector<float> values(columns.size());
  while (lines.next(line)) {
    split_tabs(line, fields);
    if (fields.size() != n_fields) {
      throw InputError(path, fmt::format("line {}", lines.number()),
                       fmt::format("has {} fields, the header {}", fields.size(), n_fields));
    }
    const std::uint64_t begin = to_position(fields[1], path, lines.number());
    const std::uint64_t end = to_position(fields[2], path, lines.number());
    for (std::size_t i = 0; i < columns.size(); ++i)
      values[i] = to_value(fields[columns[i]], path, lines.number());
    const char letter = fields[3].empty() ? '\0' : fields[3].front();
    if (!collector.take(fields[0], begin, end, fields[4], letter, values)) break;
  }
  file.tracks = collector.finish(file.remarks);
  return file;
}

ScoreFile read_bedgraph(const std::string& path, const ReportOptions& options) {
  ScoreFile file;
  io::TextReader lines(path);
  std::string line;
  std::string score = score_of_name(path);
  constexpr std::string_view kColumn = "##column=";
  bool has_line = lines.next(line);
  const auto is_remark = [&] {
    return line.empty() || line.starts_with('#') || line.starts_with("track") ||
           line.starts_with("browser");
  };
  for (; has_line && is_remark(); has_line = lines.next(line)) {
    if (line.starts_with(kColumn)) {
      score = line.substr(kColumn.size());
    } else if (line.starts_with("##")) {
      file.provenance.push_back(line.substr(2));
    }
  }
  TrackCollector collector(path, {score}, regions_of(options));
  std::vector<std::string_view> fields;
  for (; has_line; has_line = lines.next(line)) {
    if (is_remark()) continue;
    split_tabs(line, fields);
    if (fields.size() != 4) {
      throw InputError(path, fmt::format("line {}", lines.number()),
                       "has not the four fields of bedGraph");
    }
    const std::uint64_t begin = to_position(fields[1], path, lines.number());
    const std::uint64_t end = to_position(fields[2], path, lines.number());
    const float value = to_value(fields[3], path, lines.number());
    if (!collector.take(fields[0], begin, end, "", '\0', {&value, 1})) break;
  }
  file.tracks = collector.finish(file.remarks);
  return file;
}

ScoreFile read_bigwig(const std::string& path, const ReportOptions& options) {
  ScoreFile file;
  const io::BigWigReader reader(path);
  const auto regions = regions_of(options);
  TrackCollector collector(path, {score_of_name(path)}, regions);
  for (std::size_t c = 0; c < reader.contigs().size(); ++c) {
    const io::Contig& contig = reader.contigs()[c];
    bool wants_more = true;
    const auto take = [&](std::uint64_t begin, std::uint64_t end, float value) {
      wants_more = collector.take(contig.name, begin, end, "", '\0', {&value, 1});
      return wants_more;
    };
    if (regions.empty()) reader.read(c, 0, contig.length, take);
    for (const io::NamedRegion& region : regions) {
      if (region.contig == contig.name) reader.read(c, region.begin, region.end, take);
    }
    if (!wants_more) break;
  }
  file.tracks = collector.finish(file.remarks);
  return file;
}

}  // namespace

ScoreFile read_scores(const std::string& path, InputKind kind, const ReportOptions& options) {
  if (kind == InputKind::kScoreTsv) return read_tsv(path, options);
  return kind == InputKind::kBedGraph ? read_bedgraph(path, options) : read_bigwig(path, options);
}

}  // namespace genomamba::report
