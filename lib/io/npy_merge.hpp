// SPDX-License-Identifier: MIT
// merge_npy: matrices of shards under one another, with one row table. Private to io.
#pragma once

#include "genomamba/io/score_merge.hpp"

namespace genomamba::io {

/// See merge_scores; each shard has its row table beside it.
MergeCounts merge_npy(const MergeOptions& options);

}  // namespace genomamba::io
