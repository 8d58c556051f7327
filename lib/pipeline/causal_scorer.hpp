// SPDX-License-Identifier: MIT
// CausalScorer: ln P of each base from the bases before it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base_log_probs.hpp"
#include "genomamba/core/executor.hpp"
#include "genomamba/pipeline/loaded_model.hpp"
#include "score_piece.hpp"

namespace genomamba::pipeline {

/// Scratch of one thread.
struct ScoreScratch {
  model::Workspace workspace;
  std::vector<TokenId> tokens;
  std::vector<model::Segment> segments;
  AlignedBuffer<float> hidden;
  AlignedBuffer<float> gathered;
  AlignedBuffer<float> logits;
  std::string oriented;
};

/// One chunk of a sequence that is read with a carried state: row i of `hidden` predicts letter i.
struct CausalChunk {
  AlignedBuffer<float> hidden;  ///< [n_letters + has_first, width], the row before the chunk first
  std::size_t n_letters = 0;
  bool has_first = false;  ///< false: nothing is known of the first letter
};

/// Immutable: may run in many threads, each with its own scratch. The model must outlive it.
class CausalScorer {
 public:
  explicit CausalScorer(const LoadedModel& model);

  /// Fills ln_p of the pieces, whose letters are there: those that fit into batch_tokens together
  /// in one go, a longer one chunk by chunk; the result is the same to the bit.
  void score(std::span<ScorePiece> pieces, std::size_t batch_tokens, ScoreScratch& scratch) const;

  /// A sequence read chunk by chunk, one after the other.
  struct Stream {
    model::MambaState state;
    std::vector<float> last;  ///< hidden state of the last token; empty before the first
  };
  Stream begin_stream() const;
  /// Reads the next letters, in the direction of reading. The executor may have many cores.
  CausalChunk advance(Stream& stream, std::string_view oriented, ScoreScratch& scratch,
                      Executor& executor) const;
  /// ln_p [n_letters, 4] of a chunk, in the direction of reading.
  void compute(const CausalChunk& chunk, AlignedBuffer<float>& logits, std::span<float> ln_p) const;

  /// Tokens put before a sequence, so that its first base has a score too; mostly none.
  std::size_t n_prefix() const noexcept { return prefix_.size(); }

 private:
  void score_group(std::span<ScorePiece> pieces, ScoreScratch& scratch) const;
  void score_chunks(ScorePiece& piece, std::size_t batch_tokens, ScoreScratch& scratch) const;

  const LoadedModel& model_;
  BaseLogProbs base_log_probs_;
  std::vector<TokenId> prefix_;
  std::size_t width_;
};

/// The letters as the piece's strand reads them, in `oriented` if they have to be turned.
std::string_view oriented_letters(const ScorePiece& piece, std::string& oriented);

/// Throws Error naming the first position whose distribution is not finite; NaN of a first base is
/// meant to be.
void check_finite(const ScorePiece& piece, const std::string& contig_name);

}  // namespace genomamba::pipeline
