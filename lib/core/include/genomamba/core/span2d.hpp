// SPDX-License-Identifier: MIT
// Span2d: a view of a row-major matrix that it does not own; the only matrix type of public
// headers.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

namespace genomamba {

/// Rows x cols elements of T; row i begins at data + i * stride. Copying copies the view, never the
/// elements.
template <typename T>
class Span2d {
 public:
  Span2d() = default;
  Span2d(T* data, std::size_t rows, std::size_t cols) : Span2d(data, rows, cols, cols) {}
  Span2d(T* data, std::size_t rows, std::size_t cols, std::size_t stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {
    assert(stride >= cols);
  }

  /// A view of const elements can be made from a view of mutable ones.
  operator Span2d<const T>() const requires(!std::is_const_v<T>) {
    return {data_, rows_, cols_, stride_};
  }

  T* data() const { return data_; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t stride() const { return stride_; }

  T* row_data(std::size_t i) const {
    assert(i <= rows_);
    return data_ + i * stride_;
  }
  std::span<T> row(std::size_t i) const {
    assert(i < rows_);
    return {row_data(i), cols_};
  }

  /// Rows [begin, begin + count).
  Span2d row_block(std::size_t begin, std::size_t count) const {
    assert(begin + count <= rows_);
    return {row_data(begin), count, cols_, stride_};
  }
  /// Columns [begin, begin + count) of every row.
  Span2d col_block(std::size_t begin, std::size_t count) const {
    assert(begin + count <= cols_);
    return {data_ + begin, rows_, count, stride_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;
};

}  // namespace genomamba
