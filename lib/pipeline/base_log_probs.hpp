// SPDX-License-Identifier: MIT
// BaseLogProbs: from hidden states to ln P of A, C, G and T.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "genomamba/core/aligned_buffer.hpp"
#include "genomamba/core/span2d.hpp"
#include "genomamba/pipeline/loaded_model.hpp"

namespace genomamba::pipeline {

inline constexpr std::size_t kBases = 4;

/// 0 to 3 for A, C, G, T in either case, else kBases.
std::size_t base_index(char letter) noexcept;

/// Softmax over the four bases' tokens alone. Immutable; the model must outlive it.
class BaseLogProbs {
 public:
  explicit BaseLogProbs(const LoadedModel& model);

  /// ln_p [hidden.rows(), 4] of the hidden states [rows, hidden_width] of model::kLastLayer.
  /// `logits`: scratch.
  void compute(Span2d<const float> hidden, AlignedBuffer<float>& logits,
               std::span<float> ln_p) const;

  /// ln P of `base`, 0 to 3, from one row of logits [vocab_size]; in double, for sums of many.
  double ln_p(const float* logits, std::size_t base) const noexcept;

 private:
  const model::MambaModel& model_;
  std::array<std::size_t, kBases> tokens_{};
};

/// The distributions of the other strand, seen from this one: order of positions and bases
/// reversed, in place.
void reverse_complement_ln_p(std::span<float> ln_p) noexcept;

}  // namespace genomamba::pipeline
