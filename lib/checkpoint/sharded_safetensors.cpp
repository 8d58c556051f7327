// SPDX-License-Identifier: MIT
#include <filesystem>
#include <map>
#include <system_error>

#include "genomamba/checkpoint/config_file.hpp"
#include "genomamba/core/error.hpp"
#include "json_text.hpp"
#include "tensor_table.hpp"
#include "weight_map.hpp"

namespace genomamba::checkpoint {
namespace fs = std::filesystem;
namespace {

/// A path of the index must be a plain file name, and what it points at must lie in the model's own
/// folder, or in the blobs folder that a Hugging Face cache keeps beside `snapshots/`: an index is
/// untrusted text.
void check_shard_path(const fs::path& folder, const std::string& shard, const std::string& index) {
  if (shard.empty() || shard == "." || shard == ".." ||
      shard.find_first_of(std::string("/\\\0", 3)) != std::string::npos) {
    throw CheckpointError(index, printable(shard),
                          "a shard must be a plain file name in the model's folder");
  }
  std::error_code error;
  const fs::path path = folder / shard;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw CheckpointError(index, printable(shard),
                          "this shard is missing from the folder (incomplete download?)");
  }
  if (!fs::is_regular_file(status)) {
    throw CheckpointError(index, printable(shard), "this shard is not a file");
  }
  const fs::path home = fs::canonical(folder, error);
  const fs::path real_folder = fs::canonical(path, error).parent_path();
  const bool in_cache = home.parent_path().filename() == "snapshots" &&
                        real_folder == home.parent_path().parent_path() / "blobs";
  if (real_folder != home && !in_cache) {
    throw CheckpointError(index, printable(shard), "this shard links to a file outside the folder");
  }
}

}  // namespace

std::vector<std::string> read_weight_map(const std::string& index_path,
                                         std::map<std::string, std::string>& shard_of) {
  const ConfigFile index = ConfigFile::load(index_path);
  const fs::path folder = fs::path(index_path).parent_path();
  std::map<std::string, bool> shards;
  const auto map = index.find_string_map("weight_map");
  if (!map || map->empty()) throw CheckpointError(index_path, "weight_map", "is missing or empty");
  for (const auto& [name, shard] : *map) {
    shard_of[name] = shard;
    shards[shard] = true;
  }
  std::vector<std::string> paths;
  for (const auto& [shard, unused] : shards) {
    check_shard_path(folder.empty() ? fs::path(".") : folder, shard, index_path);
    paths.push_back((folder / shard).string());
  }
  return paths;
}

std::unique_ptr<TensorSource> merge_shards(
    const std::string& index_path,
    const std::function<std::unique_ptr<TensorSource>(const std::string&)>& open_shard) {
  std::map<std::string, std::string> shard_of;
  const std::vector<std::string> paths = read_weight_map(index_path, shard_of);
  auto table = std::make_unique<TensorTable>(index_path);
  for (const std::string& path : paths) {
    const auto shard = open_shard(path);
    for (const auto& file : shard->files())
      table->add_file(file);
    for (const Tensor& tensor : shard->tensors()) {
      if (!table->add(tensor)) {
        throw CheckpointError(path, printable(tensor.name), "stands in another shard too");
      }
    }
  }
  for (const auto& [name, shard] : shard_of) {
    const Tensor* tensor = table->find(name);
    if (tensor == nullptr || fs::path(tensor->path).filename() != shard) {
      throw CheckpointError(index_path, printable(name),
                            "is not in " + printable(shard) + ", where the index puts it");
    }
  }
  return table;
}

std::unique_ptr<TensorSource> open_sharded_safetensors(const std::string& index_path) {
  return merge_shards(index_path, open_safetensors);
}

}  // namespace genomamba::checkpoint
