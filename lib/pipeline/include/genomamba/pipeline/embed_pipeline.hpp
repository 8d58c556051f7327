// SPDX-License-Identifier: MIT
// embed_records: sequences in, one vector a record out, in input order, on several cores, in
// bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "genomamba/core/log.hpp"
#include "genomamba/io/embedding_writer.hpp"
#include "genomamba/io/resume_file.hpp"
#include "genomamba/pipeline/embed_options.hpp"
#include "genomamba/pipeline/loaded_model.hpp"

namespace genomamba::pipeline {

/// What went in and what came out. in = kept + all of filtered (a pair counts as two records).
struct EmbedCounts {
  std::uint64_t n_in = 0;
  std::uint64_t n_restored = 0;  ///< records (pairs) that an earlier run had computed
  std::uint64_t n_rows = 0;
  std::uint64_t n_ok = 0;
  std::uint64_t n_bases = 0;
  std::uint64_t n_tokens = 0;        ///< tokens computed, every strand and window counted
  std::uint64_t longest_record = 0;  ///< bases
  std::uint64_t n_iupac = 0;         ///< letters read as N
  std::uint64_t n_uracil = 0;        ///< letters read as T
  std::map<std::string, std::uint64_t> filtered;  ///< reason -> records without a row
  std::map<std::string, std::uint64_t> failed;    ///< status -> rows with a NaN vector
};

/// Called from one thread at a time, after each batch has been written.
class EmbedProgress {
 public:
  virtual ~EmbedProgress() = default;
  virtual void update(const EmbedCounts& counts) = 0;
};

/// Floats of a vector of the output: d_model or 2 d_model, by model and strand.
std::size_t embedding_width(const model::MambaConfig& config, Strand strand) noexcept;

/// Fills in what the user left open (strand and window are the caller's; batch_tokens by memory).
/// Throws UsageError for options that do not fit the model or each other, and when the memory
/// budget is too small: the message says what would be needed.
EmbedOptions complete_options(EmbedOptions options, const LoadedModel& model);

/// Bytes at the peak for these complete options: weights, work of all threads, records in flight.
std::size_t estimate_memory(const EmbedOptions& options, const LoadedModel& model);

/// Reads every record of options.inputs, writes one row a record (or window) to `writer`, which the
/// caller finishes. Throws InputError naming file and record, OutputError, UsageError. The bytes
/// written do not depend on n_threads or batch_tokens. `resume` (may be null) gives the vectors
/// that an earlier run with the same inputs and options has computed, and takes the new ones.
EmbedCounts embed_records(const EmbedOptions& options, const LoadedModel& model,
                          io::EmbeddingWriter& writer, LogSink& log, EmbedProgress* progress,
                          io::ResumeFile* resume = nullptr);

}  // namespace genomamba::pipeline
