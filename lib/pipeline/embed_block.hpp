// SPDX-License-Identifier: MIT
// A computed batch as bytes, for io::ResumeFile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "embed_job.hpp"

namespace genomamba::pipeline {

/// What computing gave to the jobs: their vectors and counts of tokens. The rest of a job is read
/// again. In the machine's own byte order: a run goes on where it was begun.
std::string encode_block(const std::vector<EmbedJob>& jobs);

/// Jobs that hold `values` and `n_tokens_computed` alone. Throws Error when the text is no block.
std::vector<EmbedJob> decode_block(std::string_view block);

}  // namespace genomamba::pipeline
