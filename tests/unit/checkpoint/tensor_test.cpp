// SPDX-License-Identifier: MIT
#include "genomamba/checkpoint/tensor.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "catch.hpp"
#include "safetensors_text.hpp"

using namespace genomamba;
using namespace genomamba::checkpoint;
using test::contains;

namespace {

template <typename T>
Tensor make_tensor(Dtype dtype, std::vector<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  Tensor tensor;
  tensor.name = "w";
  tensor.dtype = dtype;
  tensor.shape = {values.size()};
  tensor.path = "m";
  tensor.source = make_memory_source(std::move(bytes), "m");
  return tensor;
}

/// The value of a half by its definition, in double.
double half_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

TEST_CASE("every finite half becomes its exact float") {
  std::vector<std::uint16_t> all;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if (((bits >> 10) & 31) != 31) all.push_back(static_cast<std::uint16_t>(bits));
  }
  const AlignedBuffer<float> values = to_float(make_tensor(Dtype::kF16, all));
  std::size_t n_wrong = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto expected = static_cast<float>(half_value(all[i]));
    n_wrong += values[i] != expected || std::signbit(values[i]) != std::signbit(expected);
  }
  CHECK(n_wrong == 0);
}

TEST_CASE("bfloat16 and double are converted") {
  const AlignedBuffer<float> bf16 =
      to_float(make_tensor<std::uint16_t>(Dtype::kBF16, {0x3F80, 0xC000, 0x0000, 0x3FC0}));
  CHECK(bf16[0] == 1.0F);
  CHECK(bf16[1] == -2.0F);
  CHECK(bf16[2] == 0.0F);
  CHECK(bf16[3] == 1.5F);
  CHECK(to_float(make_tensor<double>(Dtype::kF64, {0.1}))[0] == 0.1F);
}

TEST_CASE("a value that is not finite is named by tensor and index") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto message = [](const Tensor& tensor) {
    return test::error_of([&] { to_float(tensor); });
  };
  CHECK(message(make_tensor<float>(Dtype::kF32, {0, 0, nan})) == "m: w: NaN at index 2");
  CHECK(message(make_tensor<float>(Dtype::kF32, {0, -infinity})) == "m: w: infinity at index 1");
  CHECK(contains(message(make_tensor<std::uint16_t>(Dtype::kF16, {0x7C01})), "NaN"));
  CHECK(contains(message(make_tensor<std::uint16_t>(Dtype::kF16, {0x7C00})), "infinity"));
  CHECK(contains(message(make_tensor<std::uint16_t>(Dtype::kBF16, {0x7F80})), "infinity"));
  CHECK(contains(message(make_tensor<double>(Dtype::kF64, {1e300})), "infinity"));
}

TEST_CASE("types are not mixed up") {
  const Tensor integers = make_tensor<std::int64_t>(Dtype::kI64, {5, -7});
  CHECK(to_int64(integers) == std::vector<std::int64_t>{5, -7});
  CHECK(to_int64(make_tensor<std::int8_t>(Dtype::kI8, {-1})) == std::vector<std::int64_t>{-1});
  CHECK(to_int64(make_tensor<std::uint8_t>(Dtype::kU8, {255})) == std::vector<std::int64_t>{255});
  CHECK(contains(test::error_of([&] { to_float(integers); }), "I64"));
  CHECK(contains(test::error_of([&] { to_int64(make_tensor<float>(Dtype::kF32, {1})); }), "F32"));
}

TEST_CASE("strides are honoured") {
  Tensor tensor = make_tensor<float>(Dtype::kF32, {0, 1, 2, 3, 4, 5});
  tensor.shape = {3, 2};
  tensor.strides = {1, 3};  // the transpose of [[0, 1, 2], [3, 4, 5]]
  const AlignedBuffer<float> values = to_float(tensor);
  CHECK(std::vector<float>(values.data(), values.data() + 6) ==
        std::vector<float>{0, 3, 1, 4, 2, 5});
  tensor.shape = {2, 2};
  tensor.strides = {0, 1};  // expanded
  CHECK(to_float(tensor)[3] == 1.0F);
}

TEST_CASE("a large tensor is converted in pieces") {
  std::vector<float> many(200001);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<float>(i);
  const AlignedBuffer<float> values = to_float(make_tensor(Dtype::kF32, many));
  CHECK(std::memcmp(values.data(), many.data(), many.size() * sizeof(float)) == 0);
}
