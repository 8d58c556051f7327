// SPDX-License-Identifier: MIT
// WindowScorer: ln P of each base from both sides, by a bidirectional model.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base_log_probs.hpp"
#include "causal_scorer.hpp"
#include "genomamba/core/executor.hpp"
#include "genomamba/pipeline/loaded_model.hpp"
#include "genomamba/pipeline/score_options.hpp"
#include "score_piece.hpp"

namespace genomamba::pipeline {

/// Immutable: may run in many threads, each with its own scratch. The model must outlive it.
class WindowScorer {
 public:
  /// `options` are complete. Throws UsageError: masked, and the tokenizer has no [MASK].
  WindowScorer(const ScoreOptions& options, const LoadedModel& model);

  /// Fills ln_p of the piece, whose window is its read range. Masked: position i of the window is
  /// hidden in pass i mod mask_spacing together with all others of that pass, in the direction of
  /// reading; with spacing 0 alone. The masked copies are computed as one batch, or as several if
  /// they are more than max_tokens.
  void score(ScorePiece& piece, std::size_t max_tokens, ScoreScratch& scratch,
             Executor& executor) const;

 private:
  /// One masked copy: hides positions first, first + spacing, ... (spacing 0: first alone).
  struct Copy {
    std::size_t first = 0;
  };

  void score_unmasked(ScorePiece& piece, std::string_view letters, ScoreScratch& scratch,
                      Executor& executor) const;
  void score_copies(ScorePiece& piece, std::string_view letters, std::span<const Copy> copies,
                    ScoreScratch& scratch, Executor& executor) const;
  std::size_t step(std::size_t n_letters) const noexcept;

  const LoadedModel& model_;
  BaseLogProbs base_log_probs_;
  std::size_t width_;
  ScoreMethod method_;
  std::size_t mask_spacing_;
  TokenId mask_ = 0;
};

}  // namespace genomamba::pipeline
