// SPDX-License-Identifier: MIT
// TensorSource: named tensors of one checkpoint, however many files hold them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/checkpoint/tensor.hpp"

namespace genomamba::checkpoint {

/// Read-only, safe to share between threads.
class TensorSource {
 public:
  virtual ~TensorSource() = default;

  /// Every tensor, in the order of the file.
  virtual const std::vector<Tensor>& tensors() const noexcept = 0;
  /// The tensor of that name, or null.
  virtual const Tensor* find(std::string_view name) const noexcept = 0;
  /// What messages call this source: a path.
  virtual const std::string& path() const noexcept = 0;
  /// The files that hold the tensors, in the order in which they are hashed.
  virtual const std::vector<std::shared_ptr<const ByteSource>>& files() const noexcept = 0;
};

/// A .safetensors file. Every offset, shape and type is checked before this returns; a Git LFS
/// pointer, a truncated, overlapping or holey file is refused. Throws CheckpointError.
std::unique_ptr<TensorSource> open_safetensors(const std::string& path);

/// The shards that a model.safetensors.index.json names; they must lie in its folder (or, in a
/// Hugging Face cache, in the blobs of the same repository). Throws CheckpointError naming the
/// shard or tensor that is missing.
std::unique_ptr<TensorSource> open_sharded_safetensors(const std::string& index_path);

}  // namespace genomamba::checkpoint
