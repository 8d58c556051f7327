// SPDX-License-Identifier: MIT
// TensorSource: named tensors of one checkpoint, however many files hold them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/checkpoint/tensor.hpp"

namespace genomamba::checkpoint {

/// Read-only, safe to share between threads. Tensors stay valid as long as the source lives.
class TensorSource {
 public:
  virtual ~TensorSource() = default;

  /// Every tensor, in the order of the file.
  virtual const std::vector<Tensor>& tensors() const noexcept = 0;
  /// The tensor of that name, or null.
  const Tensor* find(std::string_view name) const noexcept;
  /// What messages call this source: a path.
  virtual const std::string& path() const noexcept = 0;
};

/// A .safetensors file, memory-mapped. Every offset, shape and type is checked before this returns; a Git LFS
/// pointer, a truncated or overlapping file is refused. Throws CheckpointError.
std::unique_ptr<TensorSource> open_safetensors(const std::string& path);

}  // namespace genomamba::checkpoint
