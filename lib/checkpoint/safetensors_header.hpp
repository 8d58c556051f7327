// SPDX-License-Identifier: MIT
// The header of a .safetensors file: from untrusted JSON to checked tensor descriptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/checkpoint/tensor.hpp"

namespace genomamba::checkpoint {

/// Reads the JSON `text` of a file with `data_bytes` bytes behind the header. Tensors in file
/// order; offsets are relative to the data. Throws CheckpointError naming tensor and numbers: bad
/// JSON, an unknown type, a name twice, a shape that does not fit its bytes, ranges out of bounds,
/// overlapping or leaving gaps.
std::vector<Tensor> parse_safetensors_header(std::string_view text, std::uint64_t data_bytes,
                                             const std::string& path);

}  // namespace genomamba::checkpoint
