// SPDX-License-Identifier: MIT
// ScoreValues: from distributions of one or two strands to the numbers that were asked for.
#pragma once

#include <span>
#include <string_view>

#include "base_log_probs.hpp"
#include "genomamba/pipeline/score_options.hpp"

namespace genomamba::pipeline {

/// Immutable.
class ScoreValues {
 public:
  explicit ScoreValues(const ScoreOptions& options);

  std::size_t n_columns() const noexcept { return n_columns_; }
  /// values [letters.size(), n_columns]. `forward`, `reverse`: ln P [letters.size(), 4] in forward
  /// letters; one may be empty. NaN: nothing is known of the position, then all of its values are
  /// NaN. logp of two strands is the mean of both; probs and entropy are of the mean renormalised
  /// over the four bases. logp of another letter is NaN.
  void compute(std::string_view letters, std::span<const float> forward,
               std::span<const float> reverse, std::span<float> values) const;

 private:
  void compute_one(char letter, const float* ln_p, const float* normalised, float* values) const;

  std::vector<ScoreKind> kinds_;
  std::size_t n_columns_ = 0;
};

}  // namespace genomamba::pipeline
