// SPDX-License-Identifier: MIT
// What `genomamba score` can be asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "genomamba/core/nucleotide.hpp"

namespace genomamba::pipeline {

/// Natural logarithm of the reference base's probability; entropy of A, C, G, T in bits; the four
/// probabilities.
enum class ScoreKind { kLogp, kEntropy, kProbs };
/// kCausal: from the bases before. kMasked: the base itself hidden by [MASK]. kUnmasked: the model
/// sees the base.
enum class ScoreMethod { kCausal, kMasked, kUnmasked };
/// kBed: '-' regions as reverse, all others as forward.
enum class ScoreStrand { kForward, kReverse, kMean, kBed };

/// "logp", ...: the words of the command line.
const char* to_string(ScoreKind kind) noexcept;
const char* to_string(ScoreMethod method) noexcept;
const char* to_string(ScoreStrand strand) noexcept;

struct ScoreOptions {
  std::vector<ScoreKind> kinds = {ScoreKind::kLogp};
  std::optional<ScoreMethod> method;  ///< nothing: by the model, causal or masked
  ScoreStrand strand = ScoreStrand::kForward;

  // Causal models.
  std::optional<std::uint64_t> context;  ///< bases read before a region; nothing: 4096
  bool whole_context = false;            ///< from the contig's first base on

  // Bidirectional models.
  std::optional<std::size_t> mask_spacing;  ///< 0: one position at a time; nothing: 8
  std::size_t window = 0;                   ///< bases; 0: the model's trained length
  std::optional<std::size_t> overlap;       ///< nothing: a quarter of the window
  std::size_t overlap_check = 0;            ///< places scored once more with a doubled overlap

  LetterPolicy letters = LetterPolicy::kStandard;
  std::size_t batch_tokens =
      0;  ///< tokens computed together by one thread; 0: chosen by memory_bytes
  std::size_t memory_bytes = 0;  ///< total budget; 0: none given
  std::size_t n_threads = 1;
};

/// Names of the values of one position: logp, entropy, p_A, p_C, p_G, p_T; with kUnmasked
/// logp_seen, entropy_seen.
std::vector<std::string> score_columns(const ScoreOptions& options);

}  // namespace genomamba::pipeline
