// SPDX-License-Identifier: MIT
// NpyReader: rows of a two-dimensional .npy, as float, read when they are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace genomamba::io {

/// float16, float32 and float64, little-endian, in C order. One thread at a time.
class NpyReader {
 public:
  /// Throws InputError: no .npy, another type, order or number of dimensions, a size that does not
  /// fit the shape.
  explicit NpyReader(const std::string& path);
  ~NpyReader();
  NpyReader(NpyReader&&) noexcept;

  std::uint64_t rows() const noexcept;
  std::uint64_t cols() const noexcept;
  /// Rows [begin, begin + n) into `values` [n, cols()]. Precondition: within rows(). Throws
  /// InputError.
  void read(std::uint64_t begin, std::uint64_t n, std::span<float> values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::io
