// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/score_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "genomamba/core/error.hpp"
#include "score_run.hpp"
#include "score_sink.hpp"
#include "tile_windows.hpp"

namespace genomamba::pipeline {
namespace {

constexpr std::uint64_t kDefaultContext = 4096;
constexpr std::size_t kDefaultMaskSpacing = 8;
constexpr std::size_t kDefaultBatchTokens = 4096;
constexpr std::size_t kMinBatchTokens = 64;
/// Masked copies of one window that are computed together, at most.
constexpr std::size_t kMaxWindowTokens = 32768;
/// Code, libraries, thread stacks, output buffers, zoom levels of a bigWig, allocator slack.
constexpr std::size_t kFixedBytes = std::size_t{96} << 20;

bool is_causal(const ScoreOptions& options) {
  return options.method == ScoreMethod::kCausal;
}

void check_causal(const ScoreOptions& options) {
  if (options.window > 0 || options.overlap || options.overlap_check > 0) {
    throw UsageError(
        "--window, --overlap and --overlap-check are for bidirectional models; a causal one reads "
        "--context");
  }
  if (options.mask_spacing) throw UsageError("--mask-spacing needs --method masked");
}

void complete_causal(ScoreOptions& options) {
  check_causal(options);
  if (!options.context) options.context = kDefaultContext;
  options.mask_spacing = 0;
  options.overlap = 0;
}

void complete_windows(ScoreOptions& options, const LoadedModel& model) {
  if (options.context || options.whole_context) {
    throw UsageError(
        "--context is for causal models; a bidirectional one reads --window and --overlap");
  }
  if (options.mask_spacing && options.method != ScoreMethod::kMasked) {
    throw UsageError("--mask-spacing needs --method masked");
  }
  if (!options.mask_spacing) options.mask_spacing = kDefaultMaskSpacing;
  options.context = 0;
  if (options.window == 0) options.window = model.trained_length;
  if (!options.overlap) options.overlap = options.window / 4;
  if (*options.overlap >= options.window) {
    throw UsageError(fmt::format("--overlap {} must be smaller than the window of {}",
                                 *options.overlap, options.window));
  }
  if (options.overlap_check > 0 && 2 * *options.overlap >= options.window) {
    throw UsageError(
        fmt::format("--overlap-check doubles the overlap: {} is too much for a window of {}",
                    *options.overlap, options.window));
  }
}

void choose_method(ScoreOptions& options, const LoadedModel& model) {
  const bool model_is_causal = model.model.config().is_causal();
  if (!model.model.config().has_lm_head) {
    throw UsageError("model " + model.name +
                     " has no lm_head: it gives embeddings, not probabilities");
  }
  if (!options.method)
    options.method = model_is_causal ? ScoreMethod::kCausal : ScoreMethod::kMasked;
  if (model_is_causal != is_causal(options)) {
    throw UsageError(fmt::format("--method {}: model {} ({}) is {}", to_string(*options.method),
                                 model.name, model.model.config().family,
                                 model_is_causal ? "causal: it predicts the next base"
                                                 : "bidirectional: masked or unmasked"));
  }
}

void choose_batch(ScoreOptions& options, const LoadedModel& model) {
  const bool chosen_by_user = options.batch_tokens > 0;
  if (!chosen_by_user) {
    options.batch_tokens = kDefaultBatchTokens;
    if (options.method == ScoreMethod::kMasked) {
      const std::size_t copies = std::max<std::size_t>(options.mask_spacing.value(), 1);
      options.batch_tokens =
          std::clamp(copies * options.window, kDefaultBatchTokens, kMaxWindowTokens);
    }
  }
  if (options.memory_bytes == 0) return;
  while (!chosen_by_user && options.batch_tokens > kMinBatchTokens &&
         estimate_score_memory(options, model) > options.memory_bytes) {
    options.batch_tokens /= 2;
  }
  const std::size_t needed = estimate_score_memory(options, model);
  if (needed > options.memory_bytes) {
    throw UsageError(fmt::format(
        "--memory {}M is too small: {}M are needed for this model with {} threads (fewer threads "
        "or a smaller --window need less)",
        options.memory_bytes >> 20, (needed >> 20) + 1, options.n_threads));
  }
}

}  // namespace

ScoreOptions complete_score_options(ScoreOptions options, const LoadedModel& model) {
  if (options.kinds.empty()) throw UsageError("--score names nothing");
  for (std::size_t i = 0; i < options.kinds.size(); ++i) {
    if (std::count(options.kinds.begin(), options.kinds.end(), options.kinds[i]) > 1) {
      throw UsageError(fmt::format("--score names {} twice", to_string(options.kinds[i])));
    }
  }
  choose_method(options, model);
  is_causal(options) ? complete_causal(options) : complete_windows(options, model);
  choose_batch(options, model);
  return options;
}

std::size_t estimate_score_memory(const ScoreOptions& options, const LoadedModel& model) {
  const auto& config = model.model.config();
  // A window of a bidirectional model is never cut.
  const std::size_t n_tokens =
      is_causal(options) ? options.batch_tokens : std::max(options.batch_tokens, options.window);
  const std::size_t per_token =
      (config.hidden_width() + config.vocab_size + kBases) * sizeof(float) + sizeof(TokenId) + 2;
  const std::size_t per_scratch =
      model.model.workspace_bytes(n_tokens, options.n_threads) + n_tokens * per_token;
  const std::size_t long_region = kLongBatches * options.batch_tokens;
  const std::size_t in_flight =
      2 * options.n_threads *
      (is_causal(options) ? std::max(options.batch_tokens * per_token, long_region * 20)
                          : n_tokens * 20);
  return kFixedBytes + model.model.weights_bytes() + (options.n_threads + 1) * per_scratch +
         in_flight;
}

std::uint64_t count_windows(const ScoreOptions& options, const LoadedModel& model,
                            const io::ReferenceReader& reference,
                            const std::vector<io::Region>& regions) {
  std::uint64_t n = 0;
  for (const io::Region& region : regions) {
    if (region.length() == 0) continue;
    const StrandNeeds needs = strand_needs(options, model.model.config(), region);
    const std::uint64_t n_strands = needs.both() ? 2 : 1;
    if (is_causal(options)) {
      n += n_strands;
      continue;
    }
    const TilePlan plan(region.begin, region.end, reference.contigs()[region.contig].length,
                        {options.window, options.overlap.value()}, false);
    n += n_strands * plan.n_tiles();
  }
  return n;
}

ScoreCounts score_regions(const ScoreOptions& options, const LoadedModel& model,
                          io::ReferenceReader& reference, const std::vector<io::Region>& regions,
                          const ScoreOutputs& outputs, LogSink& log, ScoreProgress* progress) {
  ScoreSink sink(regions, outputs, ScoreValues(options).n_columns());
  if (!outputs.tracks.empty() && !sink.plan().is_sorted()) {
    log.write(LogLevel::kInfo,
              "the regions are not sorted: tables keep their order, tracks are sorted");
  }
  if (!outputs.tracks.empty() && sink.plan().has_overlaps()) {
    log.write(LogLevel::kInfo,
              "regions overlap: tracks show each position once, from the region that begins first");
  }
  ScoreLetters letters(reference, options.letters);
  Runner runner(options.n_threads);
  ScoreRun run{.options = options,
               .model = model,
               .reference = reference,
               .regions = regions,
               .letters = letters,
               .runner = runner,
               .progress = progress};
  run.counts.n_regions = regions.size();
  for (const io::Region& region : regions) {
    run.counts.n_positions += region.length();
    run.counts.n_to_do +=
        region.length() * (strand_needs(options, model.model.config(), region).both() ? 2 : 1);
  }
  const WriteBlock write = [&sink](std::size_t region, std::uint64_t begin,
                                   std::string_view block_letters, std::span<const float> values) {
    sink.write(region, begin, block_letters, values);
  };
  is_causal(options) ? run_causal(run, write) : run_windows(run, write);
  sink.finish();
  run.counts.n_iupac = letters.counts().n_iupac;
  run.counts.n_uracil = letters.counts().n_uracil;
  return run.counts;
}

}  // namespace genomamba::pipeline
