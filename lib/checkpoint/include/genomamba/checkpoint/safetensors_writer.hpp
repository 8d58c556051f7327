// SPDX-License-Identifier: MIT
// Writes a .safetensors file of float tensors (`model init`, tests).
#pragma once

#include <span>
#include <string>
#include <vector>

namespace genomamba::checkpoint {

struct NamedArray {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<float> values;
};

/// F32, tensors in the given order, metadata {"format": "pt"}; under a temporary name, then
/// renamed. Throws OutputError.
void write_safetensors(const std::string& path, std::span<const NamedArray> tensors);

}  // namespace genomamba::checkpoint
