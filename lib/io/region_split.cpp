// SPDX-License-Identifier: MIT
#include "genomamba/io/region_split.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "region_check.hpp"

namespace genomamba::io {
namespace {

void cut(const Region& region, std::uint64_t max_piece, std::vector<Region>& pieces) {
  const std::uint64_t n =
      max_piece == 0 ? 1
                     : std::max<std::uint64_t>(1, (region.length() + max_piece - 1) / max_piece);
  for (std::uint64_t i = 0; i < n; ++i) {
    Region piece = region;
    // Lengths differ by one base at most.
    piece.begin = region.begin + region.length() / n * i + std::min(i, region.length() % n);
    piece.end = region.begin + region.length() / n * (i + 1) + std::min(i + 1, region.length() % n);
    pieces.push_back(std::move(piece));
  }
}

/// FNV-1a: tells one split from another.
std::uint64_t hash(const std::vector<std::string>& texts) {
  std::uint64_t value = 0xcbf29ce484222325U;
  for (const std::string& text : texts) {
    for (const char c : text + '\f')
      value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return value;
}

}  // namespace

std::vector<std::vector<Region>> split_regions(std::vector<Region> regions, std::size_t n_shards,
                                               std::uint64_t max_piece) {
  std::vector<Region> pieces;
  std::uint64_t total = 0;
  for (const Region& region : regions) {
    total += region.length();
    cut(region, max_piece, pieces);
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const Region& a, const Region& b) {
    return a.contig != b.contig ? a.contig < b.contig : a.begin < b.begin;
  });
  std::vector<std::vector<Region>> shards(n_shards);
  std::uint64_t before = 0;
  for (Region& piece : pieces) {
    // The shard in which the middle of the piece lies.
    const double middle = static_cast<double>(before) + static_cast<double>(piece.length()) / 2;
    const double share =
        total == 0 ? 0 : middle / static_cast<double>(total) * static_cast<double>(n_shards);
    const std::size_t shard = std::min(static_cast<std::size_t>(share), n_shards - 1);
    before += piece.length();
    shards[shard].push_back(std::move(piece));
  }
  return shards;
}

std::vector<std::string> shard_bed_texts(const std::vector<std::vector<Region>>& shards,
                                         const std::vector<Contig>& contigs) {
  std::vector<std::string> texts;
  for (const auto& shard : shards) {
    std::string& text = texts.emplace_back();
    for (const Region& region : shard) {
      const Contig& contig = contigs[region.contig];
      text += fmt::format("{}\t{}\t{}", contig.name, region.begin, region.end);
      // A name made of the coordinates would be wrong for a piece; without one it is made anew.
      const bool has_strand = region.strand != '.';
      if (region.has_name || has_strand) {
        text +=
            "\t" + (region.has_name ? region.name : region_name(contig, region.begin, region.end));
      }
      if (has_strand) text += fmt::format("\t0\t{}", region.strand);
      text += '\n';
    }
  }
  const std::string set = fmt::format("{:016x}", hash(texts));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    texts[i].insert(0, fmt::format("#genomamba-shard {}-of-{} {}\n", i + 1, texts.size(), set));
  }
  return texts;
}

}  // namespace genomamba::io
