// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/embed_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "embed_block.hpp"
#include "embedder.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/kernels/flush_denormals.hpp"
#include "job_source.hpp"
#include "runner.hpp"
#include "thread_scratch.hpp"

namespace genomamba::pipeline {
namespace {

/// Enough rows for the projections to run at full speed, few enough for the cores to share the work
/// evenly.
constexpr std::size_t kDefaultBatchTokens = 4096;
constexpr std::size_t kMinBatchTokens = 64;
constexpr std::size_t kMaxJobsPerBatch = 1024;
/// A record of more tokens than this many batches is computed by all cores together.
constexpr std::size_t kLongRecordBatches = 16;
/// Code, libraries, thread stacks, input and output buffers, allocator slack.
constexpr std::size_t kFixedBytes = std::size_t{48} << 20;

/// The serial end of the pipeline: counts and writes jobs in order.
class JobWriter {
 public:
  JobWriter(io::EmbeddingWriter& writer, std::size_t width, EmbedProgress* progress)
      : writer_(writer), width_(width), progress_(progress) {}

  void write(EmbedJob& job) {
    std::span<const float> values = job.values;
    for (io::EmbeddingRow& row : job.rows) {
      row.offset = n_vectors_;
      n_vectors_ += row.n_vectors;
      const std::size_t n_floats = row.n_vectors * width_;
      writer_.write(row, values.first(n_floats));
      values = values.subspan(n_floats);
      ++counts_.n_rows;
      if (row.status == "ok") {
        ++counts_.n_ok;
      } else {
        ++counts_.failed[row.status];
      }
    }
    counts_.n_bases += job.n_bases();
    counts_.longest_record = std::max<std::uint64_t>(counts_.longest_record, job.n_bases());
    counts_.n_tokens += job.n_tokens_computed;
    counts_.n_iupac += job.n_iupac;
    counts_.n_uracil += job.n_uracil;
  }

  void count_restored(std::size_t n_jobs) { counts_.n_restored += n_jobs; }

  void report(std::uint64_t n_in) {
    counts_.n_in = n_in;
    if (progress_ != nullptr) progress_->update(counts_);
  }

  EmbedCounts& counts() { return counts_; }

 private:
  io::EmbeddingWriter& writer_;
  std::size_t width_;
  EmbedProgress* progress_;
  std::uint64_t n_vectors_ = 0;
  EmbedCounts counts_;
};

/// Cuts the stream of jobs into batches, and holds a long record back for all cores. What an
/// earlier run has computed comes first, in the batches of that run.
class BatchReader {
 public:
  BatchReader(JobSource& source, std::size_t batch_bases, std::size_t long_bases,
              io::ResumeFile* resume)
      : source_(source), batch_bases_(batch_bases), long_bases_(long_bases), resume_(resume) {}

  /// The next batch; null at the end of the data or before a long record.
  std::unique_ptr<EmbedBatch> next() {
    if (long_job_) return nullptr;
    if (auto restored = next_restored()) return restored;
    auto batch = std::make_unique<EmbedBatch>();
    std::size_t n_bases = 0;
    while (n_bases < batch_bases_ && batch->jobs.size() < kMaxJobsPerBatch) {
      auto job = source_.next();
      if (!job) break;
      if (job->n_bases() > long_bases_) {
        long_job_ = std::move(job);
        break;
      }
      n_bases += job->n_bases();
      batch->jobs.push_back(std::move(*job));
    }
    batch->n_in = source_.n_in();
    return batch->jobs.empty() ? nullptr : std::move(batch);
  }

  /// The long record that stopped next(), or nothing at the end of the data.
  std::optional<EmbedJob> take_long_job() { return std::exchange(long_job_, std::nullopt); }

 private:
  std::unique_ptr<EmbedBatch> next_restored() {
    std::string block;
    if (resume_ == nullptr || !resume_->read(block)) {
      resume_ = nullptr;
      return nullptr;
    }
    auto batch = std::make_unique<EmbedBatch>();
    batch->is_restored = true;
    for (EmbedJob& computed : decode_block(block)) {
      auto job = source_.next();
      if (!job) throw Error("the --resume file has more records than the inputs");
      job->values = std::move(computed.values);
      job->n_tokens_computed = computed.n_tokens_computed;
      batch->jobs.push_back(std::move(*job));
    }
    batch->n_in = source_.n_in();
    return batch;
  }

  JobSource& source_;
  std::size_t batch_bases_;
  std::size_t long_bases_;
  io::ResumeFile* resume_;  ///< null: nothing stored is left
  std::optional<EmbedJob> long_job_;
};

void check_window(const EmbedOptions& options) {
  if (options.overlap > 0 && options.window == 0) {
    throw UsageError("--overlap needs --window for this model, which reads records whole");
  }
  if (options.window > 0 && options.overlap >= options.window) {
    throw UsageError(fmt::format("--overlap {} must be smaller than the window of {}",
                                 options.overlap, options.window));
  }
}

void check_inputs(const EmbedOptions& options) {
  if (options.has_regions()) {
    if (!options.inputs.empty()) throw UsageError("regions (-r, -R) and INPUT exclude each other");
    if (options.reference_path.empty()) throw UsageError("regions (-r, -R) need -f REF.fa");
    if (options.pairing != Pairing::kSingle) throw UsageError("regions have no mates");
    return;
  }
  if (options.inputs.empty()) throw UsageError("no input");
  if (options.pairing == Pairing::kTwoFiles && options.inputs.size() % 2 != 0) {
    throw UsageError("--pairs needs files two by two");
  }
  if (std::count(options.inputs.begin(), options.inputs.end(), "-") > 1) {
    throw UsageError("stdin (-) can be read once only");
  }
}

/// Bytes of one base's vectors under --pool none: in the sinks of each orientation, and in the
/// output.
std::size_t vector_bytes(const EmbedOptions& options, const model::MambaConfig& config) {
  const Orientations read = needed_orientations(config, options.strand);
  const std::size_t n_sinks = (read.forward ? 1U : 0U) + (read.reverse ? 1U : 0U);
  return (n_sinks * config.hidden_width() + embedding_width(config, options.strand)) *
         sizeof(float);
}

/// A record whose vectors do not fit into --memory is refused before it is computed.
void check_memory(const EmbedJob& job, const EmbedOptions& options, const LoadedModel& model) {
  if (options.memory_bytes == 0 || options.pool != Pool::kNone) return;
  const std::size_t needed = estimate_memory(options, model) +
                             job.n_bases() * (2 + vector_bytes(options, model.model.config()));
  if (needed <= options.memory_bytes) return;
  throw Error(fmt::format("{}: its vectors (--pool none) need --memory {}M", job.where(),
                          (needed >> 20) + 1));
}

void check_tracks(const EmbedOptions& options, const model::MambaConfig& config) {
  const bool needs_tracks = config.n_tracks == 6;
  if (needs_tracks && options.tracks == nullptr) {
    throw UsageError(
        "the model reads six tracks: --tracks FILE must give each record's coding sequence and "
        "exon ends (id, cds_start, cds_end, exon_ends)");
  }
  if (options.tracks == nullptr) return;
  if (!needs_tracks) {
    throw UsageError(config.family + " takes no tracks beside the sequence: leave --tracks out");
  }
  if (options.strand != Strand::kForward) {
    throw UsageError("--tracks describes the forward strand: --strand forward alone fits it");
  }
  if (options.pairing != Pairing::kSingle) {
    throw UsageError("--tracks describes whole transcripts, not mates of pairs");
  }
}

std::size_t tokens_per_thread(const EmbedOptions& options, const LoadedModel& model) {
  // A window of a bidirectional model is never cut; a causal model's chunks are batch_tokens long.
  return model.model.config().is_causal() ? options.batch_tokens
                                          : std::max(options.batch_tokens, options.window + 2);
}

}  // namespace

const char* to_string(Pool pool) noexcept {
  switch (pool) {
    case Pool::kMean:
      return "mean";
    case Pool::kMax:
      return "max";
    case Pool::kFirst:
      return "first";
    case Pool::kLast:
      return "last";
    case Pool::kNone:
      return "none";
  }
  return "";
}

const char* to_string(Strand strand) noexcept {
  switch (strand) {
    case Strand::kForward:
      return "forward";
    case Strand::kReverse:
      return "reverse";
    case Strand::kMean:
      return "mean";
    case Strand::kConcat:
      return "concat";
  }
  return "";
}

std::size_t embedding_width(const model::MambaConfig& config, Strand strand) noexcept {
  return strand == Strand::kConcat ? 2 * config.d_model : config.d_model;
}

std::size_t estimate_memory(const EmbedOptions& options, const LoadedModel& model) {
  const std::size_t n_tokens = tokens_per_thread(options, model);
  const auto& config = model.model.config();
  const std::size_t per_token = config.hidden_width() * sizeof(float) + sizeof(TokenId);
  // One scratch a thread, and the one of long records, on which all threads work.
  const std::size_t scratch =
      options.n_threads * (model.model.workspace_bytes(n_tokens) + n_tokens * per_token) +
      model.model.workspace_bytes(n_tokens, options.n_threads) + n_tokens * per_token;
  // Records in flight: their letters, and vectors of every token under --pool none (kept twice
  // while they are made).
  const std::size_t per_base = 2 + (options.tracks != nullptr ? 1 : 0) +
                               (options.pool == Pool::kNone ? vector_bytes(options, config) : 0);
  const std::size_t in_flight = 2 * options.n_threads * 2 * options.batch_tokens * per_base;
  const std::size_t tracks = options.tracks != nullptr ? options.tracks->n_bytes() : 0;
  return kFixedBytes + model.model.weights_bytes() + scratch + in_flight + tracks;
}

EmbedOptions complete_options(EmbedOptions options, const LoadedModel& model) {
  const auto& config = model.model.config();
  check_inputs(options);
  check_tracks(options, config);
  if (options.window == 0 && !config.is_causal()) options.window = model.trained_length;
  check_window(options);
  if (options.layer != model::kLastLayer && options.layer >= config.n_layer) {
    throw UsageError(
        fmt::format("--layer {}: the model has layers 0 to {}", options.layer, config.n_layer - 1));
  }
  if (options.rows == RowsPer::kWindow && options.pool == Pool::kNone) {
    throw UsageError("--rows window and --pool none exclude each other");
  }
  const bool chosen_by_user = options.batch_tokens > 0;
  if (!chosen_by_user) options.batch_tokens = kDefaultBatchTokens;
  if (options.memory_bytes == 0) return options;
  while (!chosen_by_user && options.batch_tokens > kMinBatchTokens &&
         estimate_memory(options, model) > options.memory_bytes) {
    options.batch_tokens /= 2;
  }
  const std::size_t needed = estimate_memory(options, model);
  if (needed > options.memory_bytes) {
    throw UsageError(
        fmt::format("--memory {}M is too small: {}M are needed for this model with {} "
                    "threads (fewer threads or a smaller --window need less)",
                    options.memory_bytes >> 20, (needed >> 20) + 1, options.n_threads));
  }
  return options;
}

EmbedCounts embed_records(const EmbedOptions& options, const LoadedModel& model,
                          io::EmbeddingWriter& writer, LogSink& log, EmbedProgress* progress,
                          io::ResumeFile* resume) {
  JobSource source(options, log);
  const Embedder embedder(options, model);
  const std::size_t width = embedding_width(model.model.config(), options.strand);
  JobWriter job_writer(writer, width, progress);
  // The vectors of every token of a record are held until it is written: such a record goes alone.
  const std::size_t long_bases =
      (options.pool == Pool::kNone ? 1 : kLongRecordBatches) * options.batch_tokens;
  BatchReader batches(source, options.batch_tokens, long_bases, resume);
  ThreadScratch<EmbedScratch> scratches;
  Runner runner(options.n_threads);

  const auto read = [&]() -> std::unique_ptr<WorkItem> { return batches.next(); };
  const auto compute = [&](WorkItem& item) {
    auto& batch = static_cast<EmbedBatch&>(item);
    if (batch.is_restored) return embedder.restore(batch.jobs);
    scratches.with(
        [&](EmbedScratch& scratch) { embedder.embed(batch.jobs, scratch, serial_executor()); });
  };
  const auto write = [&](WorkItem& item) {
    auto& batch = static_cast<EmbedBatch&>(item);
    for (EmbedJob& job : batch.jobs)
      job_writer.write(job);
    if (batch.is_restored) {
      job_writer.count_restored(batch.jobs.size());
    } else if (resume != nullptr) {
      resume->append(encode_block(batch.jobs));
    }
    job_writer.report(batch.n_in);
  };

  EmbedScratch long_scratch;
  for (;;) {
    runner.run(read, compute, write);
    auto long_job = batches.take_long_job();
    if (!long_job) break;
    check_memory(*long_job, options, model);
    const kernels::FlushDenormals flush;
    EmbedBatch alone;
    alone.jobs.push_back(std::move(*long_job));
    embedder.embed(alone.jobs, long_scratch, runner.executor());
    alone.n_in = source.n_in();
    write(alone);
  }
  EmbedCounts counts = std::move(job_writer.counts());
  counts.n_in = source.n_in();
  counts.filtered = source.filtered();
  return counts;
}

}  // namespace genomamba::pipeline
