// SPDX-License-Identifier: MIT
// merge_scores: the outputs of shards put together, as one run over all shards would have written
// them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "genomamba/core/log.hpp"

namespace genomamba::io {

struct MergeOptions {
  /// .tsv, .bedgraph, .vcf (.gz: indexed) or .npy, of the kind of the shards; "-": stdout
  std::string output;
  std::string bigwig;               ///< empty: none; of several columns: {score} in the name
  std::string fai;                  ///< order and lengths of contigs, for shards that carry none
  std::vector<std::string> shards;  ///< outputs of one kind
  LogSink* log = nullptr;           ///< null: none
};

struct MergeCounts {
  std::uint64_t n_shards = 0;
  std::uint64_t n_rows = 0;  ///< rows of the output; positions of an .npy
};

/// Shards of `genomamba split` come in their order and must all be there, once; others are ordered
/// by their first row, by contig (in the order of `fai`) and start, and may not overlap. Throws
/// InputError: version, model, options or columns differ, a shard is missing or doubled;
/// OutputError; UsageError.
MergeCounts merge_scores(const MergeOptions& options);

}  // namespace genomamba::io
