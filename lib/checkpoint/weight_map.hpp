// SPDX-License-Identifier: MIT
// Shards: the files that an index.json names, opened and joined.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "genomamba/checkpoint/tensor_source.hpp"

namespace genomamba::checkpoint {

/// The shards of an index, sorted by name, each checked to be a file of the same folder; `shard_of`
/// gets the shard of each tensor. Throws CheckpointError.
std::vector<std::string> read_weight_map(const std::string& index_path,
                                         std::map<std::string, std::string>& shard_of);

/// One source of all shards, each opened by `open_shard`. Throws CheckpointError when a tensor is
/// missing or double.
std::unique_ptr<TensorSource> merge_shards(
    const std::string& index_path,
    const std::function<std::unique_ptr<TensorSource>(const std::string&)>& open_shard);

}  // namespace genomamba::checkpoint
