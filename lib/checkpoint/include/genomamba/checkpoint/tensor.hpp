// SPDX-License-Identifier: MIT
// A tensor as it lies in a weight file: name, type, shape, and where its bytes are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/checkpoint/byte_source.hpp"
#include "genomamba/core/aligned_buffer.hpp"

namespace genomamba::checkpoint {

enum class Dtype { kF32, kF16, kBF16, kF64, kI64, kI32, kI16, kI8, kU8, kBool };

/// "F32", "BF16", ...: the words of safetensors.
std::string_view to_string(Dtype dtype) noexcept;
std::size_t size_bytes(Dtype dtype) noexcept;

/// A checked description: n_bytes() from `offset` on lie inside the source. Nothing is read until
/// to_float or to_int64, so a tensor that nobody uses costs nothing, however large.
struct Tensor {
  std::string name;
  Dtype dtype = Dtype::kF32;
  std::vector<std::size_t> shape;
  std::string path;  ///< the file that holds it, for messages
  std::shared_ptr<const ByteSource> source;
  std::uint64_t offset = 0;  ///< of its first byte in the source
  /// In elements, one a dimension; empty: row-major without gaps (always so in safetensors).
  std::vector<std::size_t> strides;

  std::size_t size() const noexcept;     ///< number of elements
  std::size_t n_bytes() const noexcept;  ///< of the elements, without gaps
};

/// "[512, 16]", for messages.
std::string shape_to_string(std::span<const std::size_t> shape);

/// Reads a F32, F16, BF16 or F64 tensor as float, in row-major order. Throws CheckpointError for
/// other types, when the file has become shorter, and when a value is NaN or infinite (named by
/// tensor and flat index).
AlignedBuffer<float> to_float(const Tensor& tensor);
/// The same into a buffer that is kept: it grows when it must.
void to_float(const Tensor& tensor, AlignedBuffer<float>& values);

/// Reads an integer tensor. Throws CheckpointError for floating-point types.
std::vector<std::int64_t> to_int64(const Tensor& tensor);

}  // namespace genomamba::checkpoint
