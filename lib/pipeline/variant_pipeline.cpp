// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/variant_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "causal_variant_scorer.hpp"
#include "genomamba/core/error.hpp"
#include "masked_variant_scorer.hpp"
#include "thread_scratch.hpp"
#include "variant_plan.hpp"

namespace genomamba::pipeline {
namespace {

constexpr std::size_t kCausalWindow = 1024;
constexpr std::size_t kLongestMaskedWindow = 8192;
constexpr std::size_t kPlantcadWindow = 512;
constexpr std::size_t kDefaultFlank = 8;
constexpr std::size_t kDefaultBatchTokens = 4096;
constexpr std::size_t kMinBatchTokens = 64;
/// Records of a batch, where few of them have anything to compute.
constexpr std::size_t kMaxBatchRecords = 256;
/// Code, libraries, thread stacks, output buffers, allocator slack.
constexpr std::size_t kFixedBytes = std::size_t{64} << 20;

void complete_method(VariantOptions& options, const LoadedModel& model) {
  const auto& config = model.model.config();
  if (!config.has_lm_head) {
    throw UsageError("model " + model.name +
                     " has no lm_head: it gives embeddings, not probabilities");
  }
  options.method = config.is_causal() ? VariantMethod::kCausal : VariantMethod::kMasked;
  if (options.method == VariantMethod::kCausal) {
    if (options.convention == VariantConvention::kPlantcad || options.flank) {
      throw UsageError("--convention plantcad and --flank are for bidirectional models; " +
                       model.name + " is causal");
    }
    if (options.window == 0) options.window = kCausalWindow;
    options.flank = 0;
    return;
  }
  if (options.converge) {
    throw UsageError("--converge is for causal models; " + model.name + " is bidirectional");
  }
  if (!options.flank) options.flank = kDefaultFlank;
  if (options.window == 0) {
    options.window = options.convention == VariantConvention::kPlantcad
                         ? kPlantcadWindow
                         : std::min(model.trained_length, kLongestMaskedWindow);
  }
  (void)MaskedVariantScorer(options, model);
}

void choose_batch(VariantOptions& options, const LoadedModel& model) {
  const bool chosen_by_user = options.batch_tokens > 0;
  if (!chosen_by_user) {
    options.batch_tokens = options.method == VariantMethod::kCausal
                               ? kDefaultBatchTokens
                               : std::max(options.window, kDefaultBatchTokens / 4);
  }
  if (options.memory_bytes == 0) return;
  while (!chosen_by_user && options.batch_tokens > kMinBatchTokens &&
         estimate_variant_memory(options, model) > options.memory_bytes) {
    options.batch_tokens /= 2;
  }
  const std::size_t needed = estimate_variant_memory(options, model);
  if (needed > options.memory_bytes) {
    throw UsageError(fmt::format(
        "--memory {}M is too small: {}M are needed for this model with {} threads (fewer threads "
        "or a smaller --window need less)",
        options.memory_bytes >> 20, (needed >> 20) + 1, options.n_threads));
  }
}

class VariantRun {
 public:
  VariantRun(const VariantOptions& options, const LoadedModel& model,
             io::ReferenceReader& reference, const VariantFlow& flow)
      : options_(options), flow_(flow), planner_(options, model, reference) {
    if (options.method == VariantMethod::kCausal) {
      causal_.emplace(options, model);
    } else {
      masked_.emplace(options, model);
    }
  }

  VariantCounts run() {
    Runner runner(options_.n_threads);
    runner.run([this] { return read(); },
               [this](WorkItem& item) { compute(static_cast<VariantBatch&>(item)); },
               [this](WorkItem& item) { write(static_cast<VariantBatch&>(item)); });
    counts_.n_iupac = planner_.letter_counts().n_iupac;
    counts_.n_uracil = planner_.letter_counts().n_uracil;
    return counts_;
  }

 private:
  std::unique_ptr<WorkItem> read() {
    auto batch = std::make_unique<VariantBatch>();
    std::size_t n_letters = 0;
    while (n_letters < options_.batch_tokens && batch->records.size() < kMaxBatchRecords) {
      io::VariantRecord record;
      if (!flow_.read(record)) break;
      n_letters += planner_.add(std::move(record), *batch);
    }
    if (batch->records.empty()) return nullptr;
    planner_.read_letters(*batch);
    return batch;
  }

  void compute(VariantBatch& batch) {
    scratches_.with([&](VariantScratch& scratch) {
      batch.n_tokens =
          causal_ ? causal_->score(batch.sites, scratch) : masked_->score(batch.sites, scratch);
    });
    const double share = planner_.needs_both() ? 0.5 : 1.0;
    for (const VariantSite& site : batch.sites) {
      for (const SiteAllele& allele : site.alleles) {
        PlannedRecord& planned = batch.records[allele.record];
        if (!std::isfinite(allele.llr)) {
          throw Error(planned.record.describe() + ": the model's output is not finite");
        }
        planned.scores[allele.alt_index].llr += share * allele.llr;
      }
    }
  }

  void write(VariantBatch& batch) {
    counts_.n_tokens += batch.n_tokens;
    for (PlannedRecord& planned : batch.records) {
      ++counts_.n_records;
      counts_.n_alts += planned.scores.size();
      for (const VariantScore& score : planned.scores) {
        if (score.skip == VariantSkip::kNone) ++counts_.n_scored;
        ++counts_.n_skipped[static_cast<std::size_t>(score.skip)];
      }
      flow_.write(planned.record, planned.scores);
    }
    if (flow_.progress) flow_.progress(counts_);
  }

  const VariantOptions& options_;
  const VariantFlow& flow_;
  VariantPlanner planner_;
  std::optional<CausalVariantScorer> causal_;
  std::optional<MaskedVariantScorer> masked_;
  ThreadScratch<VariantScratch> scratches_;
  VariantCounts counts_;
};

}  // namespace

const char* to_string(VariantMethod method) noexcept {
  return method == VariantMethod::kCausal ? "causal" : "masked";
}

const char* to_string(VariantConvention convention) noexcept {
  return convention == VariantConvention::kCentred ? "centred" : "plantcad";
}

const char* to_string(VariantStrand strand) noexcept {
  switch (strand) {
    case VariantStrand::kForward:
      return "forward";
    case VariantStrand::kReverse:
      return "reverse";
    case VariantStrand::kMean:
      return "mean";
  }
  return "";
}

VariantOptions complete_variant_options(VariantOptions options, const LoadedModel& model) {
  if (options.window == 1) throw UsageError("--window 1: at least 2 bases are wanted");
  complete_method(options, model);
  choose_batch(options, model);
  return options;
}

std::size_t estimate_variant_memory(const VariantOptions& options, const LoadedModel& model) {
  const auto& config = model.model.config();
  // The haplotypes of one site are read together, a window of a bidirectional model is never cut.
  constexpr std::size_t kHaplotypes = 4;
  const bool is_causal = options.method == VariantMethod::kCausal;
  const std::size_t n_tokens =
      options.batch_tokens + (is_causal ? kHaplotypes : 1) * options.window;
  const std::size_t per_token =
      (config.hidden_width() + config.vocab_size) * sizeof(float) + sizeof(TokenId) + 2;
  const std::size_t state_bytes =
      is_causal ? config.n_layer * config.d_inner * (config.d_state + config.d_conv) * sizeof(float)
                : 0;
  const std::size_t n_states = 2 * (n_tokens / options.window + kHaplotypes);
  const std::size_t per_scratch =
      model.model.workspace_bytes(n_tokens) + n_tokens * per_token + n_states * state_bytes;
  return kFixedBytes + model.model.weights_bytes() + options.n_threads * per_scratch;
}

VariantCounts score_variants(const VariantOptions& options, const LoadedModel& model,
                             io::ReferenceReader& reference, const VariantFlow& flow) {
  return VariantRun(options, model, reference, flow).run();
}

}  // namespace genomamba::pipeline
