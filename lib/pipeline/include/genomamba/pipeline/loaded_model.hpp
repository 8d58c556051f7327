// SPDX-License-Identifier: MIT
// LoadedModel: a model with its tokenizer and identity, ready for a pipeline.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/model/mamba_model.hpp"
#include "genomamba/tokenizer/char_tokenizer.hpp"

namespace genomamba::pipeline {

/// Immutable after load_model.
struct LoadedModel {
  model::MambaModel model;
  tokenizer::CharTokenizer tokenizer;
  std::string path;
  std::string name;
  std::string weights_sha256;  ///< 64 hex digits
  std::string config_sha256;   ///< of config.json, 64 hex digits
  /// Longest sequence the model was trained on, in tokens; 0: unlimited (causal). Used as the
  /// default window.
  std::size_t trained_length = 0;
  std::string trained_length_source;  ///< where that number comes from, for a message
};

/// `path` as locate_model returns it. `tokenizer_name`: an alphabet's name, a tokenizer file, or
/// empty: by the model's files, else by vocabulary size. Throws CheckpointError, UsageError.
LoadedModel load_model(const std::string& path, std::string_view tokenizer_name);

/// Name of the alphabet that load_model would choose for this directory, or "none" when nothing
/// fits.
std::string tokenizer_name(const checkpoint::ModelDirectory& directory, std::size_t vocab_size);

}  // namespace genomamba::pipeline
