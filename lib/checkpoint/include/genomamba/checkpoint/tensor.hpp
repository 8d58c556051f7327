// SPDX-License-Identifier: MIT
// A tensor as it lies in a weight file: name, type, shape, bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/core/aligned_buffer.hpp"

namespace genomamba::checkpoint {

enum class Dtype { kF32, kF16, kBF16, kF64, kI64, kI32, kI16, kI8, kU8, kBool };

/// "F32", "BF16", ...: the words of safetensors.
std::string_view to_string(Dtype dtype) noexcept;
std::size_t size_bytes(Dtype dtype) noexcept;

/// A checked view: bytes.size() is the product of shape times the element size. The memory belongs to the file.
struct Tensor {
  std::string name;
  Dtype dtype = Dtype::kF32;
  std::vector<std::size_t> shape;
  std::span<const std::byte> bytes;
  std::string path;  ///< the file that holds it, for messages

  std::size_t size() const noexcept;  ///< number of elements
};

/// "[512, 16]", for messages.
std::string shape_to_string(std::span<const std::size_t> shape);

/// Copies a F32, F16, BF16 or F64 tensor as float. Throws CheckpointError for other types, and when a value is NaN
/// or infinite (named by tensor and flat index).
AlignedBuffer<float> to_float(const Tensor& tensor);

/// Copies an integer tensor. Throws CheckpointError for floating-point types.
std::vector<std::int64_t> to_int64(const Tensor& tensor);

}  // namespace genomamba::checkpoint
