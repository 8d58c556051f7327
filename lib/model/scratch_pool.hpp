// SPDX-License-Identifier: MIT
// ScratchPool: buffers that are used again and again while weights are loaded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "genomamba/core/aligned_buffer.hpp"

namespace genomamba::model {

/// Temporary copies of tensors come and go between the packed ones that stay. Given back to the
/// allocator they would leave holes that cost a third of the model's size; kept here, they are as
/// many as are in use at once.
class ScratchPool {
 public:
  /// A buffer with room for `n_floats` if there is one, else the largest, else a new one.
  AlignedBuffer<float> take(std::size_t n_floats) {
    auto best = free_.end();
    for (auto at = free_.begin(); at != free_.end(); ++at) {
      if (best == free_.end() || is_better(at->capacity(), best->capacity(), n_floats)) best = at;
    }
    if (best == free_.end()) return {};
    AlignedBuffer<float> buffer = std::move(*best);
    free_.erase(best);
    return buffer;
  }
  void give_back(AlignedBuffer<float> buffer) {
    if (buffer.capacity() > 0) free_.push_back(std::move(buffer));
  }

 private:
  static bool is_better(std::size_t a, std::size_t b, std::size_t wanted) {
    if (a >= wanted && b >= wanted) return a < b;
    return a > b;
  }

  std::vector<AlignedBuffer<float>> free_;
};

}  // namespace genomamba::model
