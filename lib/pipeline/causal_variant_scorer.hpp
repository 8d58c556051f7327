// SPDX-License-Identifier: MIT
// CausalVariantScorer: sums of ln P over haplotypes that share the state before their first changed
// base.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base_log_probs.hpp"
#include "genomamba/pipeline/loaded_model.hpp"
#include "genomamba/pipeline/variant_options.hpp"
#include "variant_scratch.hpp"
#include "variant_site.hpp"

namespace genomamba::pipeline {

/// Immutable: may run in many threads, each with its own scratch. The model must outlive it.
class CausalVariantScorer {
 public:
  CausalVariantScorer(const VariantOptions& options, const LoadedModel& model);

  /// Fills llr of all alleles. Returns the number of tokens computed.
  std::size_t score(std::span<VariantSite> sites, VariantScratch& scratch) const;

 private:
  /// Letters of one haplotype from the first changed base on, and how far they are read.
  struct Run {
    std::string letters{};
    model::MambaState* state = nullptr;
    std::vector<float> last{};    ///< hidden state before the next letter; empty: nothing is known
    std::size_t n_read = 0;       ///< tokens that the state has seen
    std::vector<double> terms{};  ///< ln P of the letters so far: n_read + 1, or all
  };

  std::size_t score_group(std::span<VariantSite> sites, VariantScratch& scratch) const;
  std::size_t score_converging(VariantSite& site, VariantScratch& scratch) const;
  /// Reads `before` of each site into its state; the last hidden states go to `last`.
  std::size_t read_prefixes(std::span<const VariantSite> sites,
                            std::vector<model::MambaState>& states,
                            std::vector<std::vector<float>>& last, VariantScratch& scratch) const;
  /// The first term of each run.
  void begin(std::span<Run> runs, VariantScratch& scratch) const;
  /// Reads the next n_tokens[i] letters of each run, all runs together.
  void advance(std::span<Run> runs, std::span<const std::size_t> n_tokens,
               VariantScratch& scratch) const;
  double term(const float* logits, char letter) const noexcept;

  const LoadedModel& model_;
  VariantOptions options_;
  BaseLogProbs base_log_probs_;
  std::vector<TokenId> prefix_;
  std::size_t width_;
};

}  // namespace genomamba::pipeline
