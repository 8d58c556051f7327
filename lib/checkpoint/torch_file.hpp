// SPDX-License-Identifier: MIT
// PyTorch's own files: .bin, .pt, .ckpt.
#pragma once

#include <memory>
#include <string>

#include "genomamba/checkpoint/tensor_source.hpp"

namespace genomamba::checkpoint {

/// Throws CheckpointError.
std::unique_ptr<TensorSource> open_torch_file(const std::string& path);

/// The files that a pytorch_model.bin.index.json names.
std::unique_ptr<TensorSource> open_sharded_torch_files(const std::string& index_path);

}  // namespace genomamba::checkpoint
