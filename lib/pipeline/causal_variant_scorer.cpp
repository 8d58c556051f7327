// SPDX-License-Identifier: MIT
#include "causal_variant_scorer.hpp"

#include <algorithm>
#include <utility>

namespace genomamba::pipeline {
namespace {

/// Reference letters between two looks at whether states agree.
constexpr std::size_t kConvergeStep = 64;

/// States of the model, as many as are needed and kept.
void provide(std::vector<model::MambaState>& states, std::size_t n,
             const model::MambaModel& model) {
  while (states.size() < n)
    states.push_back(model.make_state());
}

}  // namespace

CausalVariantScorer::CausalVariantScorer(const VariantOptions& options, const LoadedModel& model)
    : model_(model),
      options_(options),
      base_log_probs_(model),
      width_(model.model.config().hidden_width()) {
  // As in CausalScorer: only [BOS] gives a first base something to be predicted from.
  if (model.tokenizer.alphabet().prefix == "[BOS]") prefix_ = model.tokenizer.prefix();
}

std::size_t CausalVariantScorer::score(std::span<VariantSite> sites,
                                       VariantScratch& scratch) const {
  std::size_t n_tokens = 0;
  if (options_.converge) {
    for (VariantSite& site : sites)
      n_tokens += score_converging(site, scratch);
    return n_tokens;
  }
  for (std::size_t begin = 0; begin < sites.size();) {
    std::size_t end = begin;
    std::size_t n_group = 0;
    do {
      n_group += sites[end].before.size() + sites[end].right * (1 + sites[end].alleles.size());
      ++end;
    } while (end < sites.size() && n_group < options_.batch_tokens);
    n_tokens += score_group(sites.subspan(begin, end - begin), scratch);
    begin = end;
  }
  return n_tokens;
}

std::size_t CausalVariantScorer::read_prefixes(std::span<const VariantSite> sites,
                                               std::vector<model::MambaState>& states,
                                               std::vector<std::vector<float>>& last,
                                               VariantScratch& scratch) const {
  provide(states, sites.size(), model_.model);
  last.assign(sites.size(), {});
  scratch.tokens.clear();
  scratch.segments.clear();
  std::vector<std::size_t> rows;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    states[s].reset();
    const std::size_t begin = scratch.tokens.size();
    scratch.tokens.insert(scratch.tokens.end(), prefix_.begin(), prefix_.end());
    const std::size_t first = scratch.tokens.size();
    scratch.tokens.resize(first + sites[s].before.size());
    model_.tokenizer.encode(sites[s].before, std::span(scratch.tokens).subspan(first));
    scratch.segments.push_back({begin, scratch.tokens.size() - begin, &states[s]});
    if (scratch.tokens.size() > begin) rows.push_back(scratch.tokens.size() - 1);
  }
  scratch.hidden.resize_discard(scratch.tokens.size() * width_);
  const Span2d<float> hidden(scratch.hidden.data(), scratch.tokens.size(), width_);
  model_.model.forward({.tokens = scratch.tokens, .segments = scratch.segments, .rows = rows},
                       model::kLastLayer, scratch.workspace, hidden);
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const model::Segment& segment = scratch.segments[s];
    if (segment.length == 0) continue;
    const auto row = hidden.row(segment.begin + segment.length - 1);
    last[s].assign(row.begin(), row.end());
  }
  return scratch.tokens.size();
}

double CausalVariantScorer::term(const float* logits, char letter) const noexcept {
  const std::size_t base = base_index(letter);
  return base < kBases ? base_log_probs_.ln_p(logits, base) : kNoTerm;
}

void CausalVariantScorer::begin(std::span<Run> runs, VariantScratch& scratch) const {
  const std::size_t vocab_size = model_.model.config().vocab_size;
  scratch.gathered.resize_discard(runs.size() * width_);
  scratch.logits.resize_discard(runs.size() * vocab_size);
  std::size_t n_rows = 0;
  for (const Run& run : runs) {
    if (run.letters.empty() || run.last.empty()) continue;
    std::copy(run.last.begin(), run.last.end(), scratch.gathered.data() + n_rows++ * width_);
  }
  const Span2d<float> logits(scratch.logits.data(), n_rows, vocab_size);
  model_.model.logits(Span2d<const float>(scratch.gathered.data(), n_rows, width_), logits);
  n_rows = 0;
  for (Run& run : runs) {
    if (run.letters.empty()) continue;
    run.terms.push_back(run.last.empty() ? kNoTerm
                                         : term(logits.row_data(n_rows++), run.letters.front()));
  }
}

void CausalVariantScorer::advance(std::span<Run> runs, std::span<const std::size_t> n_tokens,
                                  VariantScratch& scratch) const {
  scratch.tokens.clear();
  scratch.segments.clear();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::size_t begin = scratch.tokens.size();
    scratch.tokens.resize(begin + n_tokens[r]);
    model_.tokenizer.encode(std::string_view(runs[r].letters).substr(runs[r].n_read, n_tokens[r]),
                            std::span(scratch.tokens).subspan(begin));
    scratch.segments.push_back({begin, n_tokens[r], runs[r].state});
  }
  const std::size_t n_rows = scratch.tokens.size();
  const std::size_t vocab_size = model_.model.config().vocab_size;
  scratch.hidden.resize_discard(n_rows * width_);
  scratch.logits.resize_discard(n_rows * vocab_size);
  const Span2d<float> hidden(scratch.hidden.data(), n_rows, width_);
  const Span2d<float> logits(scratch.logits.data(), n_rows, vocab_size);
  model_.model.forward({scratch.tokens, scratch.segments}, model::kLastLayer, scratch.workspace,
                       hidden);
  model_.model.logits(hidden, logits);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    Run& run = runs[r];
    for (std::size_t i = 0; i < n_tokens[r]; ++i) {
      ++run.n_read;
      if (run.n_read == run.letters.size()) break;
      run.terms.push_back(
          term(logits.row_data(scratch.segments[r].begin + i), run.letters[run.n_read]));
    }
  }
}

std::size_t CausalVariantScorer::score_group(std::span<VariantSite> sites,
                                             VariantScratch& scratch) const {
  std::vector<std::vector<float>> last;
  std::size_t n_tokens = read_prefixes(sites, scratch.site_states, last, scratch);
  // Of each site the reference, then its alleles.
  std::vector<Run> runs;
  std::vector<std::size_t> n_reads;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const auto add = [&](std::string letters) {
      n_reads.push_back(letters.empty() ? 0 : letters.size() - 1);
      n_tokens += n_reads.back();
      runs.push_back({.letters = std::move(letters), .last = last[s]});
    };
    add(std::string(sites[s].reference(sites[s].right)));
    for (const SiteAllele& allele : sites[s].alleles)
      add(sites[s].haplotype(allele));
  }
  provide(scratch.run_states, runs.size(), model_.model);
  std::size_t r = 0;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    for (std::size_t i = 0; i < 1 + sites[s].alleles.size(); ++i, ++r) {
      scratch.run_states[r].assign(scratch.site_states[s]);
      runs[r].state = &scratch.run_states[r];
    }
  }
  begin(runs, scratch);
  advance(runs, n_reads, scratch);
  r = 0;
  for (VariantSite& site : sites) {
    const Run& reference = runs[r++];
    for (SiteAllele& allele : site.alleles)
      allele.llr = difference_of_terms(runs[r++].terms, reference.terms);
  }
  return n_tokens;
}

std::size_t CausalVariantScorer::score_converging(VariantSite& site,
                                                  VariantScratch& scratch) const {
  std::vector<std::vector<float>> last;
  std::size_t n_tokens = read_prefixes(std::span(&site, 1), scratch.site_states, last, scratch);

  // The reference, with its state at every step; further than its own window, for the haplotypes
  // that reach further.
  Run reference{.letters = std::string(site.reference(site.right + site.n_extra())),
                .last = last[0]};
  const std::size_t n_steps = (reference.letters.size() + kConvergeStep - 1) / kConvergeStep;
  provide(scratch.run_states, n_steps + 1 + site.alleles.size(), model_.model);
  std::vector<model::MambaState>& states = scratch.run_states;
  states[0].assign(scratch.site_states[0]);
  begin(std::span(&reference, 1), scratch);
  for (std::size_t step = 0; step < n_steps; ++step) {
    states[step + 1].assign(states[step]);
    reference.state = &states[step + 1];
    const std::size_t n = std::min(kConvergeStep, reference.letters.size() - reference.n_read);
    advance(std::span(&reference, 1), std::span(&n, 1), scratch);
    n_tokens += n;
  }

  for (std::size_t a = 0; a < site.alleles.size(); ++a) {
    SiteAllele& allele = site.alleles[a];
    Run run{.letters = site.haplotype(allele), .state = &states[n_steps + 1 + a], .last = last[0]};
    run.state->assign(scratch.site_states[0]);
    begin(std::span(&run, 1), scratch);
    // Steps end behind the same reference base in both.
    std::size_t step = allele.ref_length / kConvergeStep + 1;
    while (run.n_read + 1 < run.letters.size()) {
      const std::size_t reference_end = step * kConvergeStep;
      const std::size_t end =
          std::min(reference_end + allele.alt.size() - allele.ref_length, run.letters.size() - 1);
      const std::size_t n = end - run.n_read;
      advance(std::span(&run, 1), std::span(&n, 1), scratch);
      n_tokens += n;
      if (step >= n_steps || run.n_read + 1 >= run.letters.size()) break;
      if (run.state->agrees_with(states[step], *options_.converge)) {
        // What follows is what follows in the reference. One term is known beyond the state.
        run.terms.resize(run.n_read);
        for (std::size_t i = reference_end; run.terms.size() < run.letters.size(); ++i)
          run.terms.push_back(reference.terms[i]);
        break;
      }
      ++step;
    }
    allele.llr = difference_of_terms(
        run.terms, std::span(reference.terms).first(std::min(site.right, reference.terms.size())));
  }
  return n_tokens;
}

}  // namespace genomamba::pipeline
