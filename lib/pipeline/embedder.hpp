// SPDX-License-Identifier: MIT
// Embedder: from jobs with sequences to jobs with vectors, in the calling thread (plus an
// Executor's).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "batch_plan.hpp"
#include "embed_job.hpp"
#include "genomamba/core/executor.hpp"
#include "genomamba/pipeline/embed_options.hpp"
#include "genomamba/pipeline/loaded_model.hpp"
#include "token_sink.hpp"

namespace genomamba::pipeline {

/// Scratch of one thread. Grows to what the largest batch needed.
struct EmbedScratch {
  model::Workspace workspace;
  std::vector<TokenId> tokens;
  std::vector<std::uint8_t> tracks;  ///< [tokens] for six-track models, else empty
  std::vector<model::Segment> segments;
  AlignedBuffer<float> hidden;
};

/// Immutable: embed may run in many threads, each with its own scratch.
class Embedder {
 public:
  /// Both arguments must outlive the embedder. `options` are complete (complete_options).
  Embedder(const EmbedOptions& options, const LoadedModel& model);

  /// Fills rows, values and counts of each job. Throws InputError naming file, record and position
  /// of a bad letter; Error naming the record whose vectors are not finite.
  void embed(std::span<EmbedJob> jobs, EmbedScratch& scratch, Executor& executor) const;

  /// Fills rows and counts of jobs whose values an earlier run has computed. Throws as embed does.
  void restore(std::span<EmbedJob> jobs) const;

 private:
  /// Sinks of one job: [row][orientation that is read].
  struct JobSinks {
    std::vector<TokenSink> forward;
    std::vector<TokenSink> reverse;
    std::vector<std::size_t>
        mate_begin;  ///< forward position of each mate's first token within its row
  };

  void check_letters(EmbedJob& job) const;
  void make_rows(EmbedJob& job) const;
  std::size_t count_vectors(EmbedJob& job) const;
  JobSinks make_sinks(const EmbedJob& job) const;
  std::size_t n_piece_tokens(const Piece& piece) const noexcept;
  void fill_tokens(const Piece& piece, const EmbedJob& job, std::size_t begin,
                   std::span<TokenId> tokens) const;
  void fill_tracks(const Piece& piece, const EmbedJob& job, std::size_t begin,
                   std::span<std::uint8_t> tracks) const;
  void run_group(std::span<const Piece> pieces, std::span<EmbedJob> jobs,
                 std::vector<JobSinks>& sinks, EmbedScratch& scratch, Executor& executor) const;
  void run_chunks(const Piece& piece, EmbedJob& job, JobSinks& sinks, EmbedScratch& scratch,
                  Executor& executor) const;
  void take(const Piece& piece, const EmbedJob& job, std::size_t begin, Span2d<const float> hidden,
            JobSinks& sinks) const;
  void finish(EmbedJob& job, const JobSinks& sinks) const;

  const EmbedOptions& options_;
  const LoadedModel& model_;
  Orientations orientations_;
  std::size_t hidden_width_;
  std::size_t output_width_;
  std::vector<TokenId> prefix_;
  std::vector<TokenId> suffix_;
};

}  // namespace genomamba::pipeline
