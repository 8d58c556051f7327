// SPDX-License-Identifier: MIT
// NamedTensors: looks tensors up by name, checks their shape, and remembers which were used.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <unordered_set>
#include <vector>

#include "genomamba/checkpoint/tensor_source.hpp"

namespace genomamba::model {

class NamedTensors {
 public:
  explicit NamedTensors(const checkpoint::TensorSource& source) : source_(source) {}

  const checkpoint::TensorSource& source() const { return source_; }
  bool has(const std::string& name) const { return source_.find(name) != nullptr; }

  /// Throws CheckpointError when the tensor is missing (with an example of what the file has) or
  /// has another number of dimensions.
  const checkpoint::Tensor& require(const std::string& name, std::size_t n_dims);
  /// The values of a tensor that must have this shape, in `storage` (grown if need be). Throws
  /// CheckpointError naming both shapes.
  AlignedBuffer<float> values(const std::string& name, std::initializer_list<std::size_t> shape,
                              AlignedBuffer<float> storage = {});
  /// Counts a tensor as used without reading it.
  void mark_used(const std::string& name) { used_.insert(name); }
  /// Names never asked for, in file order.
  std::vector<std::string> unused() const;

 private:
  const checkpoint::TensorSource& source_;
  std::unordered_set<std::string> used_;
};

}  // namespace genomamba::model
