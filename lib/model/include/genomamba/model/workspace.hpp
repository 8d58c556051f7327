// SPDX-License-Identifier: MIT
// Workspace: the scratch memory of one forward call.
#pragma once

#include <cstddef>

#include "genomamba/core/aligned_buffer.hpp"

namespace genomamba::model {

/// Grows to what the largest batch needed and keeps it. One call at a time.
class Workspace {
 public:
  /// `n_floats` of scratch; contents undefined. Valid until the next call.
  float* reserve(std::size_t n_floats) {
    buffer_.resize_discard(n_floats);
    return buffer_.data();
  }
  std::size_t bytes() const noexcept { return buffer_.capacity() * sizeof(float); }

 private:
  AlignedBuffer<float> buffer_;
};

}  // namespace genomamba::model
