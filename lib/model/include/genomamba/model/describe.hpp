// SPDX-License-Identifier: MIT
// describe_model: what `genomamba model info` says, found without loading the weights.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/model/mamba_config.hpp"

namespace genomamba::model {

struct ModelDescription {
  MambaConfig config;
  std::size_t n_tensors = 0;
  std::size_t n_parameters = 0;  ///< elements of floating-point tensors, as stored (tied ones once)
  std::size_t stored_bytes = 0;  ///< of all tensors in the files
  /// Element types and how many tensors have each, most frequent first: {"F32", 37}.
  std::vector<std::pair<std::string, std::size_t>> dtypes;
  std::size_t weights_bytes = 0;    ///< memory for the parameters in f32
  std::size_t workspace_bytes = 0;  ///< scratch for one sequence of `workspace_tokens`, on one core
  std::size_t workspace_tokens = 1024;
};

/// Throws CheckpointError as load_config does.
ModelDescription describe_model(const checkpoint::ModelDirectory& directory,
                                std::size_t workspace_tokens = 1024);

}  // namespace genomamba::model
