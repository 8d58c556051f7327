// SPDX-License-Identifier: MIT
// Float tensors in memory, written as .safetensors (`model init`, tests).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "genomamba/checkpoint/tensor_source.hpp"

namespace genomamba::checkpoint {

struct NamedArray {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<float> values;
};

/// Takes the next bytes of a file.
using ByteSink = std::function<void(std::span<const std::byte>)>;

/// F32, tensors in the given order, metadata {"format": "pt"}. Throws CheckpointError for an array
/// whose values do not fill its shape, and what `sink` throws.
void write_safetensors(std::span<const NamedArray> tensors, const ByteSink& sink);

/// The arrays as a reader sees them. They must outlive the source; `path` is only what messages
/// call it.
std::unique_ptr<TensorSource> make_tensor_source(std::span<const NamedArray> tensors,
                                                 const std::string& path);

}  // namespace genomamba::checkpoint
