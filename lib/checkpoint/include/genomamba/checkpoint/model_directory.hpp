// SPDX-License-Identifier: MIT
// ModelDirectory: the files of one published model, found and opened.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "genomamba/checkpoint/config_file.hpp"
#include "genomamba/checkpoint/tensor_source.hpp"

namespace genomamba::checkpoint {

/// config.json and weights of one model; tokenizer files where present. Immutable after
/// open_model_directory.
struct ModelDirectory {
  std::string path;  ///< the directory
  std::string name;  ///< its last component (for a Hugging Face cache snapshot: ORG/NAME)
  ConfigFile config;
  std::unique_ptr<TensorSource> weights;
  std::optional<ConfigFile> tokenizer_config;  ///< tokenizer_config.json
  std::optional<ConfigFile> tokenizer;         ///< tokenizer.json
};

/// `path`: a directory, or a weight file inside one. In a directory model.safetensors comes first,
/// then its sharded form, then pytorch_model.bin. Throws CheckpointError that says what is missing.
ModelDirectory open_model_directory(const std::string& path);

/// SHA-256 of the bytes of config.json, 64 hex digits.
std::string config_sha256(const ModelDirectory& directory);

/// Identity of the weights, 64 hex digits: SHA-256 over every tensor but those in `unused`, in the
/// order of their names: a line "NAME DTYPE SHAPE" and its elements. The same for one file or many
/// shards, and whatever else a file holds.
std::string weights_sha256(const ModelDirectory& directory,
                           const std::vector<std::string>& unused = {});

}  // namespace genomamba::checkpoint
