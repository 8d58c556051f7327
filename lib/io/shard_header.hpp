// SPDX-License-Identifier: MIT
// ShardHeader: what the ## lines of one shard's output say. Private to io.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/core/log.hpp"
#include "genomamba/io/reference_reader.hpp"

namespace genomamba::io {

/// "2-of-7 HASH", as `genomamba split` wrote it.
struct ShardMark {
  std::uint64_t number = 0;
  std::uint64_t n_shards = 0;
  std::string set;
};

struct ShardHeader {
  std::string path;                     ///< the file that rows come from
  std::vector<std::string> provenance;  ///< without "##", shard and contig lines
  std::string columns;                  ///< the line that begins with one '#'; empty: none
  std::vector<ShardMark> marks;         ///< of every split shard that went into it
  std::vector<Contig> contigs;          ///< empty: the shard carries none

  /// Takes one line that begins with '#'.
  void add(std::string_view line);
};

/// Throws InputError unless provenance and columns of all are the same; names what differs.
void check_agreement(const std::vector<ShardHeader>& headers);

/// True if all have marks. Then sorts them by mark; throws InputError naming the shard that is
/// missing or doubled.
bool sort_by_mark(std::vector<ShardHeader>& headers);

}  // namespace genomamba::io
