// SPDX-License-Identifier: MIT
// AlignedBuffer: owning, cache-line aligned storage for numbers.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace genomamba {

/// Alignment in bytes: one cache line, and one AVX-512 register.
inline constexpr std::size_t kBufferAlignment = 64;

/// `size()` elements of a trivial T at a 64-byte aligned address. Invariant: data() is null only
/// when size() is 0.
template <typename T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;
  /// Elements are zero. Throws std::bad_alloc.
  explicit AlignedBuffer(std::size_t size) : data_(allocate(size)), size_(size), capacity_(size) {
    if (size > 0) std::memset(data_.get(), 0, size * sizeof(T));
  }

  AlignedBuffer(AlignedBuffer&& other) noexcept
      : data_(std::move(other.data_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  /// Makes room for `size` elements; the old contents are lost. Never shrinks the storage.
  void resize_discard(std::size_t size) {
    if (size > capacity_) {
      data_.reset();
      data_ = allocate(size);
      capacity_ = size;
    }
    size_ = size;
  }

  T* data() noexcept { return data_.get(); }
  const T* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }
  T& operator[](std::size_t i) noexcept { return data_.get()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_.get()[i]; }
  std::span<T> span() noexcept { return {data(), size_}; }
  std::span<const T> span() const noexcept { return {data(), size_}; }

 private:
  struct Free {
    void operator()(T* p) const noexcept {
      ::operator delete (static_cast<void*>(p), std::align_val_t{kBufferAlignment});
    }
  };
  using Pointer = std::unique_ptr<T, Free>;

  static Pointer allocate(std::size_t size) {
    if (size == 0) return nullptr;
    if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    return Pointer(
        static_cast<T*>(::operator new (size * sizeof(T), std::align_val_t{kBufferAlignment})));
  }

  Pointer data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace genomamba
