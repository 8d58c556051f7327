// SPDX-License-Identifier: MIT
#include "genomamba/io/score_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <unordered_map>

#include "fasta_index.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/score_writer.hpp"
#include "indexed_text.hpp"
#include "line_reader.hpp"
#include "npy_merge.hpp"
#include "number_text.hpp"
#include "shard_header.hpp"
#include "vcf_merge.hpp"

namespace genomamba::io {
namespace {

constexpr std::size_t kBedGraphFields = 4;
constexpr std::size_t kRefField = 3;
constexpr std::size_t kFirstValueField = 5;

/// One row of a TSV or bedGraph of scores.
struct Row {
  std::vector<std::string_view> fields;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

void parse_row(const LineReader& lines, std::string_view line, Row& row) {
  row.fields.clear();
  for (std::string_view rest = line;;) {
    const std::size_t end = std::min(rest.find('\t'), rest.size());
    row.fields.push_back(rest.substr(0, end));
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  bool is_good = row.fields.size() >= kBedGraphFields;
  for (const auto& [field, number] : {std::pair(1, &row.start), std::pair(2, &row.end)}) {
    if (!is_good) break;
    const std::string_view text = row.fields[static_cast<std::size_t>(field)];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
    is_good = error == std::errc() && end == text.data() + text.size();
  }
  if (!is_good)
    throw InputError(lines.name(), fmt::format("line {}", lines.number()), "is no row of scores");
}

/// The header of a text, and its first row's place.
struct TextShard {
  ShardHeader header;
  std::string first_contig;
  std::uint64_t first_start = 0;
};

TextShard read_header(const std::string& path) {
  LineReader lines(path);
  TextShard shard;
  shard.header.path = path;
  std::string line;
  while (lines.next(line)) {
    if (line.starts_with('#')) {
      shard.header.add(line);
      continue;
    }
    Row row;
    parse_row(lines, line, row);
    shard.first_contig = row.fields[0];
    shard.first_start = row.start;
    break;
  }
  return shard;
}

/// Contigs as one shard or the .fai names them.
class ContigTable {
 public:
  explicit ContigTable(std::vector<Contig> contigs) : contigs_(std::move(contigs)) {
    for (std::size_t i = 0; i < contigs_.size(); ++i)
      number_of_.emplace(contigs_[i].name, i);
  }
  const std::vector<Contig>& all() const { return contigs_; }
  std::size_t number_of(std::string_view name, const std::string& path) const {
    const auto found = number_of_.find(std::string(name));
    if (found == number_of_.end())
      throw InputError(path, "", fmt::format("no contig {} in the index", name));
    return found->second;
  }

 private:
  std::vector<Contig> contigs_;
  std::unordered_map<std::string, std::size_t> number_of_;
};

/// Of shards that carry no contigs: by first appearance, as long as the rows reach.
std::vector<Contig> find_contigs(const std::vector<ShardHeader>& headers) {
  std::vector<Contig> contigs;
  std::unordered_map<std::string, std::size_t> number_of;
  std::string line;
  Row row;
  for (const ShardHeader& header : headers) {
    LineReader lines(header.path);
    while (lines.next(line)) {
      if (line.starts_with('#')) continue;
      parse_row(lines, line, row);
      const auto [found, is_new] = number_of.emplace(row.fields[0], contigs.size());
      if (is_new) contigs.push_back({std::string(row.fields[0]), 0});
      Contig& contig = contigs[found->second];
      contig.length = std::max(contig.length, row.end);
    }
  }
  return contigs;
}

/// Tracks made on the way: each position once, gaps where there is no value or the letter is no
/// base.
class TrackMaker {
 public:
  TrackMaker(const MergeOptions& options, const ShardHeader& header, const ContigTable& contigs,
             bool is_bedgraph)
      : contigs_(contigs), is_bedgraph_(is_bedgraph) {
    const auto columns = column_names(header);
    constexpr std::string_view kScore = "{score}";
    const std::size_t at = options.bigwig.find(kScore);
    if (columns.size() > 1 && at == std::string::npos) {
      throw UsageError("--bigwig " + options.bigwig + ": several scores need {score} in the name");
    }
    ScoreWriterOptions writer{.path = options.bigwig,
                              .columns = {},
                              .contigs = &contigs.all(),
                              .precision = kPrecision,
                              .provenance = {},
                              .log = options.log};
    for (const std::string& column : columns) {
      if (at != std::string::npos)
        writer.path = std::string(options.bigwig).replace(at, kScore.size(), column);
      writer.columns = {column};
      tracks_.push_back(make_bigwig(writer));
    }
  }

  void add(const Row& row, std::size_t contig, const std::string& path) {
    if (contig != contig_) next_ = 0;
    if (contig_ && contig < *contig_)
      throw InputError(path, "", "its rows are not sorted, so there is no bigWig of them");
    contig_ = contig;
    if (row.start < next_) return;  // the region that began first has it
    next_ = row.end;
    const bool is_base = is_bedgraph_ || std::string_view("ACGTacgt").find(row.fields[kRefField]) !=
                                             std::string_view::npos;
    for (std::size_t t = 0; t < tracks_.size(); ++t) {
      const std::size_t field = (is_bedgraph_ ? kBedGraphFields - 1 : kFirstValueField) + t;
      const std::string_view text =
          field < row.fields.size() ? row.fields[field] : std::string_view();
      if (!is_base || text == ".") continue;
      const auto value = parse_fixed(text);
      if (!value) throw InputError(path, "", fmt::format("'{}' is no score", text));
      const auto rounded = static_cast<float>(*value);
      tracks_[t]->write(contig, row.start, {&rounded, 1});
    }
  }

  void finish_writing() {
    for (const auto& track : tracks_)
      track->finish_writing();
  }
  void commit() {
    for (const auto& track : tracks_)
      track->commit();
  }

 private:
  /// The text has been rounded already.
  static constexpr int kPrecision = -1;

  std::vector<std::string> column_names(const ShardHeader& header) const {
    std::vector<std::string> names;
    if (is_bedgraph_) return {"score"};
    std::string_view rest = header.columns;
    for (std::size_t field = 0;; ++field) {
      const std::size_t end = std::min(rest.find('\t'), rest.size());
      if (field >= kFirstValueField) names.emplace_back(rest.substr(0, end));
      if (end == rest.size()) return names;
      rest.remove_prefix(end + 1);
    }
  }

  const ContigTable& contigs_;
  bool is_bedgraph_;
  std::vector<std::unique_ptr<ScoreTrackWriter>> tracks_;
  std::optional<std::size_t> contig_;
  std::uint64_t next_ = 0;
};

class TextMerge {
 public:
  explicit TextMerge(const MergeOptions& options) : options_(options) {}

  MergeCounts run() {
    std::vector<TextShard> shards;
    std::vector<ShardHeader> headers;
    for (const std::string& path : options_.shards) {
      shards.push_back(read_header(path));
      headers.push_back(shards.back().header);
    }
    check_agreement(headers);
    is_bedgraph_ = headers.front().columns.empty();
    is_marked_ = sort_by_mark(headers);
    const ContigTable contigs(choose_contigs(headers));
    if (!is_marked_) sort_by_row(shards, headers, contigs);
    std::string header_text = provenance_text(headers.front().provenance);
    if (!is_bedgraph_) header_text += headers.front().columns + "\n";
    IndexedText text(options_.output, header_text, contigs.all(), options_.log);
    std::optional<TrackMaker> tracks;
    if (!options_.bigwig.empty()) tracks.emplace(options_, headers.front(), contigs, is_bedgraph_);
    for (const ShardHeader& header : headers)
      copy_rows(header.path, contigs, text, tracks ? &*tracks : nullptr);
    text.finish_writing();
    if (tracks) tracks->finish_writing();
    text.commit();
    if (tracks) tracks->commit();
    return {headers.size(), n_rows_};
  }

 private:
  std::vector<Contig> choose_contigs(const std::vector<ShardHeader>& headers) const {
    if (!options_.fai.empty()) {
      std::vector<Contig> contigs;
      for (const FastaEntry& entry : read_fai(options_.fai))
        contigs.push_back({entry.name, entry.length});
      return contigs;
    }
    for (const ShardHeader& header : headers) {
      if (!header.contigs.empty()) return header.contigs;
    }
    if (!options_.bigwig.empty()) {
      throw UsageError("--bigwig: the shards carry no contig lengths; give --fai REF.fa.fai");
    }
    return find_contigs(headers);
  }

  void sort_by_row(const std::vector<TextShard>& shards, std::vector<ShardHeader>& headers,
                   const ContigTable& contigs) {
    if (options_.log != nullptr) {
      options_.log->write(
          LogLevel::kInfo,
          "the shards carry no marks of genomamba split: whether one is missing cannot be told");
    }
    std::unordered_map<std::string, std::pair<std::size_t, std::uint64_t>> place_of;
    for (const TextShard& shard : shards) {
      const std::size_t contig =
          shard.first_contig.empty() ? 0 : contigs.number_of(shard.first_contig, shard.header.path);
      place_of.emplace(shard.header.path, std::pair(contig, shard.first_start));
    }
    std::stable_sort(headers.begin(), headers.end(),
                     [&](const ShardHeader& a, const ShardHeader& b) {
                       return place_of.at(a.path) < place_of.at(b.path);
                     });
  }

  void copy_rows(const std::string& path, const ContigTable& contigs, IndexedText& text,
                 TrackMaker* tracks) {
    LineReader lines(path);
    std::string line;
    Row row;
    bool is_first = true;
    while (lines.next(line)) {
      if (line.starts_with('#')) continue;
      parse_row(lines, line, row);
      if (!contig_ || contigs.all()[*contig_].name != row.fields[0]) {
        const std::size_t contig = contigs.number_of(row.fields[0], path);
        if (contig_ != contig) end_ = 0;
        if (is_first && !is_marked_ && contig_ && contig < *contig_) fail_overlap(path, row);
        contig_ = contig;
      }
      if (is_first && !is_marked_ && row.start < end_) fail_overlap(path, row);
      is_first = false;
      // A position of two regions in two shards: tracks show it once.
      if (is_bedgraph_ && row.start < end_) continue;
      end_ = std::max(end_, row.end);
      if (tracks != nullptr) tracks->add(row, *contig_, path);
      line += '\n';
      text.write_row(*contig_, row.start, row.end, line);
      ++n_rows_;
    }
  }

  [[noreturn]] static void fail_overlap(const std::string& path, const Row& row) {
    throw InputError(
        path, "",
        fmt::format("{}:{}-{} lies in another shard too, or between its rows: given twice?",
                    row.fields[0], row.start, row.end));
  }

  const MergeOptions& options_;
  bool is_bedgraph_ = false;
  bool is_marked_ = false;
  std::optional<std::size_t> contig_;
  std::uint64_t end_ = 0;
  std::uint64_t n_rows_ = 0;
};

}  // namespace

MergeCounts merge_scores(const MergeOptions& options) {
  if (options.shards.empty()) throw UsageError("no shard is named");
  const bool is_npy = options.shards.front().ends_with(".npy");
  for (const std::string& path : options.shards) {
    if (path.ends_with(".npy") != is_npy) throw UsageError("the shards are of different kinds");
  }
  if (options.output.ends_with(".npy") != is_npy && options.output != "-") {
    throw UsageError("-o " + options.output + ": the output is of the kind of the shards");
  }
  if (!is_npy && is_vcf(options.shards.front())) {
    if (!options.bigwig.empty()) throw UsageError("--bigwig is made from TSV or bedGraph shards");
    return merge_vcf(options);
  }
  if (!is_npy) return TextMerge(options).run();
  if (!options.bigwig.empty())
    throw UsageError("--bigwig is made from TSV or bedGraph shards, not from .npy");
  return merge_npy(options);
}

}  // namespace genomamba::io
