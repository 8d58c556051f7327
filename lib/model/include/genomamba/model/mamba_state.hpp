// SPDX-License-Identifier: MIT
// MambaState: what a causal model carries from one chunk of a sequence to the next.
#pragma once

#include <cstddef>

#include "genomamba/core/aligned_buffer.hpp"

namespace genomamba::model {

/// conv_state and ssm_state of every layer. Made by MambaModel::make_state, all zero: the start of
/// a sequence. The layout belongs to the model that made it.
class MambaState {
 public:
  MambaState() = default;
  MambaState(std::size_t n_layer, std::size_t conv_size, std::size_t ssm_size);

  float* conv_state(std::size_t layer) noexcept { return data_.data() + layer * layer_size(); }
  float* ssm_state(std::size_t layer) noexcept { return conv_state(layer) + conv_size_; }
  /// Back to the start of a sequence.
  void reset() noexcept;
  /// Becomes a copy of `other`.
  void assign(const MambaState& other);
  /// True if, layer by layer and for conv_state and ssm_state each, no number differs from that of
  /// `other`, which the same model made, by more than `tolerance` times the largest magnitude
  /// there.
  bool agrees_with(const MambaState& other, float tolerance) const noexcept;

 private:
  std::size_t layer_size() const noexcept { return conv_size_ + ssm_size_; }

  std::size_t conv_size_ = 0;
  std::size_t ssm_size_ = 0;
  AlignedBuffer<float> data_;
};

}  // namespace genomamba::model
