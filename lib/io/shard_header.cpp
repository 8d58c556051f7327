// SPDX-License-Identifier: MIT
#include "shard_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

constexpr std::string_view kShard = "##shard=";
constexpr std::string_view kContig = "##contig=<ID=";
constexpr std::string_view kLength = ",length=";

std::optional<ShardMark> parse_mark(std::string_view text) {
  ShardMark mark;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, mark.number);
  constexpr std::string_view kOf = "-of-";
  const std::string_view rest(number.ptr, static_cast<std::size_t>(end - number.ptr));
  if (number.ec != std::errc() || !rest.starts_with(kOf)) return std::nullopt;
  const auto count = std::from_chars(rest.data() + kOf.size(), end, mark.n_shards);
  if (count.ec != std::errc() || mark.number == 0 || mark.number > mark.n_shards)
    return std::nullopt;
  mark.set = std::string(count.ptr, end);
  return mark;
}

}  // namespace

void ShardHeader::add(std::string_view line) {
  if (!line.starts_with("##")) {
    columns = line;
    return;
  }
  if (line.starts_with(kShard)) {
    if (auto mark = parse_mark(line.substr(kShard.size()))) marks.push_back(*mark);
    return;
  }
  const std::size_t at = line.rfind(kLength);
  if (line.starts_with(kContig) && at != std::string_view::npos) {
    Contig contig;
    contig.name = line.substr(kContig.size(), at - kContig.size());
    const char* const digits = line.data() + at + kLength.size();
    (void)std::from_chars(digits, line.data() + line.size(), contig.length);
    contigs.push_back(std::move(contig));
    return;
  }
  provenance.emplace_back(line.substr(2));
}

void check_agreement(const std::vector<ShardHeader>& headers) {
  const ShardHeader& first = headers.front();
  for (const ShardHeader& other : headers) {
    if (other.columns != first.columns) {
      throw InputError(other.path, "", fmt::format("its columns are not those of {}", first.path));
    }
    const std::size_t n = std::max(first.provenance.size(), other.provenance.size());
    for (std::size_t i = 0; i < n; ++i) {
      const std::string mine = i < other.provenance.size() ? other.provenance[i] : "nothing";
      const std::string wanted = i < first.provenance.size() ? first.provenance[i] : "nothing";
      if (mine == wanted) continue;
      throw InputError(
          other.path, "",
          fmt::format("was not made as {} was: '{}' here, '{}' there", first.path, mine, wanted));
    }
  }
}

bool sort_by_mark(std::vector<ShardHeader>& headers) {
  std::map<std::uint64_t, std::string> path_of;
  for (const ShardHeader& header : headers) {
    if (header.marks.empty()) return false;
    const ShardMark& first = headers.front().marks.front();
    for (const ShardMark& mark : header.marks) {
      if (mark.n_shards != first.n_shards || mark.set != first.set) {
        throw InputError(header.path, "",
                         fmt::format("is a shard of another split than {}", headers.front().path));
      }
      const auto [found, is_new] = path_of.emplace(mark.number, header.path);
      if (is_new) continue;
      throw InputError(header.path, "",
                       fmt::format("shard {}-of-{} is there already, from {}", mark.number,
                                   mark.n_shards, found->second));
    }
  }
  const std::uint64_t n = headers.front().marks.front().n_shards;
  for (std::uint64_t i = 1; i <= n; ++i) {
    if (path_of.count(i) > 0) continue;
    throw InputError(headers.front().path, "", fmt::format("shard {}-of-{} is missing", i, n));
  }
  std::sort(headers.begin(), headers.end(), [](const ShardHeader& a, const ShardHeader& b) {
    return a.marks.front().number < b.marks.front().number;
  });
  return true;
}

}  // namespace genomamba::io
