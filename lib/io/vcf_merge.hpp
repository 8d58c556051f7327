// SPDX-License-Identifier: MIT
// merge_vcf: records of VCF shards under one header. Private to io.
#pragma once

#include <string>

#include "genomamba/io/score_merge.hpp"

namespace genomamba::io {

/// True if the text begins as a VCF does. Throws InputError: missing, not readable, BCF.
bool is_vcf(const std::string& path);

/// See merge_scores. The headers must be the same line by line; their contig lines give the order.
MergeCounts merge_vcf(const MergeOptions& options);

}  // namespace genomamba::io
