// SPDX-License-Identifier: MIT
#include "masked_variant_scorer.hpp"

#include <algorithm>
#include <utility>

#include "genomamba/core/error.hpp"

namespace genomamba::pipeline {

MaskedVariantScorer::MaskedVariantScorer(const VariantOptions& options, const LoadedModel& model)
    : model_(model),
      options_(options),
      base_log_probs_(model),
      width_(model.model.config().hidden_width()) {
  const auto mask = model.tokenizer.special("[MASK]");
  if (!mask) {
    throw UsageError("the tokenizer of " + model.name +
                     " has no [MASK] token, which a bidirectional model's scores need");
  }
  mask_ = *mask;
}

bool MaskedVariantScorer::is_substitution(const SiteAllele& allele) noexcept {
  return allele.ref_length == 1 && allele.alt.size() == 1;
}

std::size_t MaskedVariantScorer::n_terms(const VariantSite& site,
                                         const SiteAllele& allele) const noexcept {
  if (is_substitution(allele)) return 0;
  return std::min(std::max(allele.ref_length, allele.alt.size()) + options_.flank.value(),
                  site.right);
}

std::size_t MaskedVariantScorer::n_reference_terms(const VariantSite& site) const noexcept {
  std::size_t n = 0;
  for (const SiteAllele& allele : site.alleles)
    n = std::max(n, is_substitution(allele) ? 1 : n_terms(site, allele));
  return n;
}

std::size_t MaskedVariantScorer::n_windows(const VariantSite& site) const noexcept {
  std::size_t n = n_reference_terms(site);
  for (const SiteAllele& allele : site.alleles)
    n += n_terms(site, allele);
  return n;
}

MaskedVariantScorer::Plan MaskedVariantScorer::plan(std::span<const VariantSite> sites) const {
  Plan plan;
  const auto add = [&plan](const VariantSite& site, std::string letters, std::size_t n) {
    n = std::min(n, letters.size());
    plan.terms.push_back({plan.haplotypes.size(), plan.windows.size(), n});
    for (std::size_t i = 0; i < n; ++i)
      plan.windows.push_back({plan.haplotypes.size(), i, {}});
    plan.haplotypes.push_back({&site, std::move(letters)});
  };
  for (const VariantSite& site : sites) {
    add(site, std::string(site.reference(site.right)), n_reference_terms(site));
    for (const SiteAllele& allele : site.alleles)
      add(site, site.haplotype(allele), n_terms(site, allele));
  }
  return plan;
}

void MaskedVariantScorer::compute(const Plan& plan, std::span<Window> windows,
                                  VariantScratch& scratch) const {
  scratch.tokens.clear();
  scratch.segments.clear();
  std::vector<std::size_t> hidden_rows;
  for (const Window& window : windows) {
    const Haplotype& haplotype = plan.haplotypes[window.haplotype];
    const std::string& before = haplotype.site->before;
    const std::size_t begin = scratch.tokens.size();
    const std::size_t length = before.size() + haplotype.letters.size();
    scratch.tokens.resize(begin + length);
    const auto tokens = std::span(scratch.tokens).subspan(begin);
    model_.tokenizer.encode(before, tokens.first(before.size()));
    model_.tokenizer.encode(haplotype.letters, tokens.subspan(before.size()));
    tokens[before.size() + window.position] = mask_;
    hidden_rows.push_back(begin + before.size() + window.position);
    scratch.segments.push_back({begin, length, nullptr});
  }
  const std::size_t n_rows = scratch.tokens.size();
  const std::size_t vocab_size = model_.model.config().vocab_size;
  scratch.hidden.resize_discard(n_rows * width_);
  const Span2d<float> hidden(scratch.hidden.data(), n_rows, width_);
  model_.model.forward(
      {.tokens = scratch.tokens, .segments = scratch.segments, .rows = hidden_rows},
      model::kLastLayer, scratch.workspace, hidden);
  scratch.gathered.resize_discard(windows.size() * width_);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const auto row = hidden.row(hidden_rows[w]);
    std::copy(row.begin(), row.end(), scratch.gathered.data() + w * width_);
  }
  scratch.logits.resize_discard(windows.size() * vocab_size);
  const Span2d<float> logits(scratch.logits.data(), windows.size(), vocab_size);
  model_.model.logits(Span2d<const float>(scratch.gathered.data(), windows.size(), width_), logits);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    for (std::size_t b = 0; b < kBases; ++b)
      windows[w].ln_p[b] = base_log_probs_.ln_p(logits.row_data(w), b);
  }
}

std::vector<double> MaskedVariantScorer::ln_p_of(const Plan& plan, const Terms& terms) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < terms.n; ++i) {
    const std::size_t base = base_index(plan.haplotypes[terms.haplotype].letters[i]);
    values.push_back(base < kBases ? plan.windows[terms.first_window + i].ln_p[base] : kNoTerm);
  }
  return values;
}

std::size_t MaskedVariantScorer::score(std::span<VariantSite> sites,
                                       VariantScratch& scratch) const {
  Plan plan = this->plan(sites);
  std::size_t n_tokens = 0;
  const std::span<Window> windows = plan.windows;
  const std::size_t at_once = std::max<std::size_t>(1, options_.batch_tokens / options_.window);
  for (std::size_t begin = 0; begin < windows.size(); begin += at_once) {
    compute(plan, windows.subspan(begin, std::min(at_once, windows.size() - begin)), scratch);
    n_tokens += scratch.tokens.size();
  }
  const Terms* terms = plan.terms.data();
  for (VariantSite& site : sites) {
    const Terms& reference = *terms++;
    const std::vector<double> reference_terms = ln_p_of(plan, reference);
    for (SiteAllele& allele : site.alleles) {
      const Terms& mine = *terms++;
      if (is_substitution(allele)) {
        const auto& ln_p = plan.windows[reference.first_window].ln_p;
        allele.llr = ln_p[base_index(allele.alt.front())] - ln_p[base_index(site.after.front())];
        continue;
      }
      const std::size_t n = std::min(n_terms(site, allele), reference_terms.size());
      allele.llr = difference_of_terms(ln_p_of(plan, mine), std::span(reference_terms).first(n));
    }
  }
  return n_tokens;
}

}  // namespace genomamba::pipeline
