// SPDX-License-Identifier: MIT
// ModelDirectory: the files of one published model, found and opened.
#pragma once

#include <memory>
#include <optional>
#include <string>

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

/// SHA-256 of the weight files' bytes (shards in order of their names) as 64 hex digits: the
/// identity shown in reports and headers.
std::string weights_sha256(const ModelDirectory& directory);

}  // namespace genomamba::checkpoint
