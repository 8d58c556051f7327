// SPDX-License-Identifier: MIT
#include "genomamba/checkpoint/tensor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "genomamba/core/error.hpp"

namespace genomamba::checkpoint {
namespace {

/// Elements converted at a time: the only copy beside the result.
constexpr std::size_t kChunk = std::size_t{1} << 16;

float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

float from_f16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1FU;
  const std::uint32_t mantissa = bits & 0x3FFU;
  if (exponent == 0) {  // zero or subnormal: mantissa * 2^-24, exact in float
    const float value = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -value : value;
  }
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | (mantissa << 13));
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

template <typename T>
T load(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

bool is_float(Dtype dtype) {
  return dtype == Dtype::kF32 || dtype == Dtype::kF16 || dtype == Dtype::kBF16 ||
         dtype == Dtype::kF64;
}

float float_at(Dtype dtype, const std::byte* p) {
  switch (dtype) {
    case Dtype::kF32:
      return load<float>(p);
    case Dtype::kF64:
      return static_cast<float>(load<double>(p));
    case Dtype::kBF16:
      return from_bf16(load<std::uint16_t>(p));
    default:
      return from_f16(load<std::uint16_t>(p));
  }
}

std::int64_t int_at(Dtype dtype, const std::byte* p) {
  switch (dtype) {
    case Dtype::kI64:
      return load<std::int64_t>(p);
    case Dtype::kI32:
      return load<std::int32_t>(p);
    case Dtype::kI16:
      return load<std::int16_t>(p);
    case Dtype::kI8:
      return load<std::int8_t>(p);
    default:
      return load<std::uint8_t>(p);
  }
}

/// Calls use(flat index, address of the element) in row-major order, reading piece by piece.
template <typename Use>
void for_each_contiguous(const Tensor& tensor, Use use) {
  const std::size_t width = size_bytes(tensor.dtype);
  std::vector<std::byte> chunk(std::min(tensor.size(), kChunk) * width);
  for (std::size_t begin = 0; begin < tensor.size(); begin += kChunk) {
    const std::size_t count = std::min(kChunk, tensor.size() - begin);
    tensor.source->read_at(tensor.offset + begin * width, {chunk.data(), count * width});
    for (std::size_t i = 0; i < count; ++i)
      use(begin + i, chunk.data() + i * width);
  }
}

/// The same for a view with strides: the span of its storage is read once, then walked like an
/// odometer.
template <typename Use>
void for_each_strided(const Tensor& tensor, Use use) {
  const std::size_t width = size_bytes(tensor.dtype);
  const std::size_t n = tensor.size();
  if (n == 0) return;
  std::size_t last = 0;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    last += (tensor.shape[d] - 1) * tensor.strides[d];
  }
  std::vector<std::byte> storage((last + 1) * width);
  tensor.source->read_at(tensor.offset, storage);
  std::vector<std::size_t> index(tensor.shape.size(), 0);
  std::size_t at = 0;
  for (std::size_t i = 0; i < n; ++i) {
    use(i, storage.data() + at * width);
    for (std::size_t d = index.size(); d-- > 0;) {
      at += tensor.strides[d];
      if (++index[d] < tensor.shape[d]) break;
      at -= tensor.strides[d] * tensor.shape[d];
      index[d] = 0;
    }
  }
}

template <typename Use>
void for_each(const Tensor& tensor, Use use) {
  if (tensor.strides.empty()) {
    for_each_contiguous(tensor, use);
  } else {
    for_each_strided(tensor, use);
  }
}

}  // namespace

std::string_view to_string(Dtype dtype) noexcept {
  switch (dtype) {
    case Dtype::kF32:
      return "F32";
    case Dtype::kF16:
      return "F16";
    case Dtype::kBF16:
      return "BF16";
    case Dtype::kF64:
      return "F64";
    case Dtype::kI64:
      return "I64";
    case Dtype::kI32:
      return "I32";
    case Dtype::kI16:
      return "I16";
    case Dtype::kI8:
      return "I8";
    case Dtype::kU8:
      return "U8";
    case Dtype::kBool:
      return "BOOL";
  }
  return "";
}

std::size_t size_bytes(Dtype dtype) noexcept {
  switch (dtype) {
    case Dtype::kF64:
    case Dtype::kI64:
      return 8;
    case Dtype::kF32:
    case Dtype::kI32:
      return 4;
    case Dtype::kF16:
    case Dtype::kBF16:
    case Dtype::kI16:
      return 2;
    case Dtype::kI8:
    case Dtype::kU8:
    case Dtype::kBool:
      return 1;
  }
  return 1;
}

std::size_t Tensor::size() const noexcept {
  std::size_t n = 1;
  for (const std::size_t dim : shape)
    n *= dim;
  return n;
}

std::size_t Tensor::n_bytes() const noexcept {
  return size() * size_bytes(dtype);
}

std::string shape_to_string(std::span<const std::size_t> shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

void to_float(const Tensor& tensor, AlignedBuffer<float>& values) {
  if (!is_float(tensor.dtype)) {
    throw CheckpointError(tensor.path, tensor.name,
                          "holds " + std::string(to_string(tensor.dtype)) +
                              ", not numbers of F32, "
                              "F16, BF16 or F64");
  }
  values.resize_discard(tensor.size());
  for_each(tensor, [&](std::size_t i, const std::byte* p) {
    const float value = float_at(tensor.dtype, p);
    if (!std::isfinite(value)) {
      throw CheckpointError(
          tensor.path, tensor.name,
          (std::isnan(value) ? "NaN" : "infinity") + std::string(" at index ") + std::to_string(i));
    }
    values[i] = value;
  });
}

AlignedBuffer<float> to_float(const Tensor& tensor) {
  AlignedBuffer<float> values;
  to_float(tensor, values);
  return values;
}

std::vector<std::int64_t> to_int64(const Tensor& tensor) {
  if (is_float(tensor.dtype)) {
    throw CheckpointError(tensor.path, tensor.name,
                          "holds " + std::string(to_string(tensor.dtype)) + ", not integers");
  }
  std::vector<std::int64_t> values(tensor.size());
  for_each(tensor, [&](std::size_t i, const std::byte* p) { values[i] = int_at(tensor.dtype, p); });
  return values;
}

}  // namespace genomamba::checkpoint
