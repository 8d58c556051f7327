// SPDX-License-Identifier: MIT
// MaskedVariantScorer: hidden positions of a bidirectional model.
#pragma once

#include <array>
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

/// One base for another: the position is hidden, ln p(alt) - ln p(ref) from one pass, which serves
/// all such alleles of a site. Every other change: the sum over positions from the first changed
/// base on, each hidden in turn, of the alternative haplotype minus the reference, each in its own
/// window. Immutable: may run in many threads, each with its own scratch. The model must outlive
/// it.
class MaskedVariantScorer {
 public:
  /// Throws UsageError: the tokenizer has no [MASK].
  MaskedVariantScorer(const VariantOptions& options, const LoadedModel& model);

  /// Fills llr of all alleles. Returns the number of tokens computed.
  std::size_t score(std::span<VariantSite> sites, VariantScratch& scratch) const;

  /// Hidden positions that this site takes, windows of one each.
  std::size_t n_windows(const VariantSite& site) const noexcept;

 private:
  /// A window with one position hidden.
  struct Window {
    std::size_t haplotype = 0;  ///< index into the haplotypes of the batch
    std::size_t position = 0;   ///< behind the first changed base
    std::array<double, kBases> ln_p{};
  };
  struct Haplotype {
    const VariantSite* site = nullptr;
    std::string letters;  ///< from the first changed base on
  };
  /// The windows whose hidden letters are the first `n_terms` of a haplotype.
  struct Terms {
    std::size_t haplotype = 0;
    std::size_t first_window = 0;
    std::size_t n = 0;
  };
  /// Plan of a batch of sites; `terms` of each site: its reference, then its alleles.
  struct Plan {
    std::vector<Haplotype> haplotypes;
    std::vector<Window> windows;
    std::vector<Terms> terms;
  };

  static bool is_substitution(const SiteAllele& allele) noexcept;
  /// Positions that are summed for an allele that is no substitution of one base.
  std::size_t n_terms(const VariantSite& site, const SiteAllele& allele) const noexcept;
  std::size_t n_reference_terms(const VariantSite& site) const noexcept;
  Plan plan(std::span<const VariantSite> sites) const;
  void compute(const Plan& plan, std::span<Window> windows, VariantScratch& scratch) const;
  std::vector<double> ln_p_of(const Plan& plan, const Terms& terms) const;

  const LoadedModel& model_;
  VariantOptions options_;
  BaseLogProbs base_log_probs_;
  TokenId mask_ = 0;
  std::size_t width_;
};

}  // namespace genomamba::pipeline
