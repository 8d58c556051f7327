// SPDX-License-Identifier: MIT
#include "vcf_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "genomamba/core/error.hpp"
#include "indexed_text.hpp"
#include "line_reader.hpp"
#include "shard_header.hpp"

namespace genomamba::io {
namespace {

/// Where a record stands: the reference bases of its REF.
struct Place {
  std::size_t contig = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool is_before(const Place& other) const {
    return contig != other.contig ? contig < other.contig : begin < other.begin;
  }
};

struct VcfShard {
  ShardHeader header;
  std::string text;  ///< header lines as they stand, without marks of shards
  std::optional<Place> first;
};

class VcfMerge {
 public:
  explicit VcfMerge(const MergeOptions& options) : options_(options) {}

  MergeCounts run() {
    for (const std::string& path : options_.shards)
      read_shard(path);
    std::vector<ShardHeader> headers;
    for (const VcfShard& shard : shards_) {
      if (shard.text != shards_.front().text) {
        throw InputError(shard.header.path, "",
                         "its header is not that of " + shards_.front().header.path);
      }
      headers.push_back(shard.header);
    }
    const bool is_marked = sort_by_mark(headers);
    if (!is_marked) sort_by_record(headers);
    const std::string text = shards_.front().text;
    IndexedText out(options_.output, text, contigs_, options_.log, TextKind::kVcf);
    for (const ShardHeader& header : headers)
      copy_records(header.path, is_marked, out);
    out.finish_writing();
    out.commit();
    return {headers.size(), n_records_};
  }

 private:
  void read_shard(const std::string& path) {
    LineReader lines(path);
    VcfShard& shard = shards_.emplace_back();
    shard.header.path = path;
    std::string line;
    while (lines.next(line)) {
      if (!line.starts_with('#')) break;
      shard.header.add(line);
      if (!line.starts_with("##shard=")) shard.text += line + "\n";
    }
    if (contigs_.empty()) {
      contigs_ = shard.header.contigs;
      for (std::size_t i = 0; i < contigs_.size(); ++i)
        number_of_.emplace(contigs_[i].name, i);
    }
    if (!line.empty() && !line.starts_with('#')) shard.first = place_of(lines, line);
  }

  Place place_of(const LineReader& lines, const std::string& line) {
    const std::size_t position = line.find('\t');
    const std::size_t id = position == std::string::npos ? position : line.find('\t', position + 1);
    const std::size_t ref = id == std::string::npos ? id : line.find('\t', id + 1);
    const std::size_t alt = ref == std::string::npos ? ref : line.find('\t', ref + 1);
    Place place;
    std::uint64_t number = 0;
    bool is_good = alt != std::string::npos;
    if (is_good) {
      const auto [end, error] =
          std::from_chars(line.data() + position + 1, line.data() + id, number);
      is_good = error == std::errc() && end == line.data() + id;
    }
    if (!is_good) {
      throw InputError(lines.name(), fmt::format("line {}", lines.number()), "is no VCF record");
    }
    const std::string contig = line.substr(0, position);
    const auto [found, is_new] = number_of_.emplace(contig, contigs_.size());
    if (is_new) contigs_.push_back({contig, 0});  // a header without this contig
    place.contig = found->second;
    place.begin = number == 0 ? 0 : number - 1;  // POS 0 is the telomere before the first base
    place.end = place.begin + (alt - ref - 1);
    contigs_[place.contig].length = std::max(contigs_[place.contig].length, place.end);
    return place;
  }

  void sort_by_record(std::vector<ShardHeader>& headers) const {
    std::unordered_map<std::string, Place> first_of;
    for (const VcfShard& shard : shards_)
      first_of[shard.header.path] = shard.first.value_or(Place{});
    std::stable_sort(headers.begin(), headers.end(),
                     [&](const ShardHeader& a, const ShardHeader& b) {
                       return first_of.at(a.path).is_before(first_of.at(b.path));
                     });
  }

  void copy_records(const std::string& path, bool is_marked, IndexedText& out) {
    LineReader lines(path);
    std::string line;
    bool is_first = true;
    while (lines.next(line)) {
      if (line.starts_with('#')) continue;
      const Place place = place_of(lines, line);
      if (is_first && !is_marked && last_ && !last_->is_before(place)) {
        throw InputError(
            path, fmt::format("line {}", lines.number()),
            "its first record lies in another shard too, or between its records: given twice?");
      }
      is_first = false;
      last_ = place;
      line += '\n';
      out.write_row(place.contig, place.begin, place.end, line);
      ++n_records_;
    }
  }

  const MergeOptions& options_;
  std::vector<VcfShard> shards_;
  std::vector<Contig> contigs_;
  std::unordered_map<std::string, std::size_t> number_of_;
  std::optional<Place> last_;
  std::uint64_t n_records_ = 0;
};

}  // namespace

bool is_vcf(const std::string& path) {
  LineReader lines(path);
  std::string line;
  if (!lines.next(line)) return false;
  if (line.starts_with("BCF")) {
    throw InputError(path, "", "is BCF; merge takes VCF text (bcftools view -Oz)");
  }
  return line.starts_with("##fileformat=VCF");
}

MergeCounts merge_vcf(const MergeOptions& options) {
  return VcfMerge(options).run();
}

}  // namespace genomamba::io
