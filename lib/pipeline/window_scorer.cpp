// SPDX-License-Identifier: MIT
#include "window_scorer.hpp"

#include <algorithm>
#include <vector>

#include "genomamba/core/error.hpp"

namespace genomamba::pipeline {

WindowScorer::WindowScorer(const ScoreOptions& options, const LoadedModel& model)
    : model_(model),
      base_log_probs_(model),
      width_(model.model.config().hidden_width()),
      method_(options.method.value()),
      mask_spacing_(options.mask_spacing.value()) {
  if (method_ != ScoreMethod::kMasked) return;
  const auto mask = model.tokenizer.special("[MASK]");
  if (!mask)
    throw UsageError("--method masked: the tokenizer of " + model.name + " has no [MASK] token");
  mask_ = *mask;
}

/// Positions that one copy hides lie this far apart.
std::size_t WindowScorer::step(std::size_t n_letters) const noexcept {
  return mask_spacing_ == 0 ? n_letters : mask_spacing_;
}

void WindowScorer::score(ScorePiece& piece, std::size_t max_tokens, ScoreScratch& scratch,
                         Executor& executor) const {
  const std::string_view letters = oriented_letters(piece, scratch.oriented);
  piece.ln_p.resize(piece.n_positions() * kBases);
  if (method_ == ScoreMethod::kUnmasked) {
    score_unmasked(piece, letters, scratch, executor);
  } else {
    // One copy for each residue of the reported positions.
    const std::size_t n = std::min(step(letters.size()), piece.n_positions());
    std::vector<Copy> copies;
    for (std::size_t i = 0; i < n; ++i)
      copies.push_back({(piece.n_before() + i) % step(letters.size())});
    const std::size_t at_once = std::max<std::size_t>(1, max_tokens / letters.size());
    const std::span<const Copy> all = copies;
    for (std::size_t begin = 0; begin < all.size(); begin += at_once) {
      score_copies(piece, letters, all.subspan(begin, std::min(at_once, all.size() - begin)),
                   scratch, executor);
    }
  }
  if (piece.reverse) reverse_complement_ln_p(piece.ln_p);
}

void WindowScorer::score_unmasked(ScorePiece& piece, std::string_view letters,
                                  ScoreScratch& scratch, Executor& executor) const {
  scratch.tokens.resize(letters.size());
  model_.tokenizer.encode(letters, scratch.tokens);
  scratch.segments.assign(1, {0, letters.size(), nullptr});
  scratch.hidden.resize_discard(letters.size() * width_);
  const Span2d<float> hidden(scratch.hidden.data(), letters.size(), width_);
  model_.model.forward({scratch.tokens, scratch.segments}, model::kLastLayer, scratch.workspace,
                       hidden, executor);
  base_log_probs_.compute(hidden.row_block(piece.n_before(), piece.n_positions()), scratch.logits,
                          piece.ln_p);
  piece.n_tokens += letters.size();
}

void WindowScorer::score_copies(ScorePiece& piece, std::string_view letters,
                                std::span<const Copy> copies, ScoreScratch& scratch,
                                Executor& executor) const {
  const std::size_t n = letters.size();
  const std::size_t spacing = step(n);
  scratch.tokens.resize(copies.size() * n);
  scratch.segments.clear();
  for (std::size_t c = 0; c < copies.size(); ++c) {
    const auto tokens = std::span(scratch.tokens).subspan(c * n, n);
    model_.tokenizer.encode(letters, tokens);
    for (std::size_t i = copies[c].first; i < n; i += spacing)
      tokens[i] = mask_;
    scratch.segments.push_back({c * n, n, nullptr});
  }
  scratch.hidden.resize_discard(scratch.tokens.size() * width_);
  const Span2d<float> hidden(scratch.hidden.data(), scratch.tokens.size(), width_);
  model_.model.forward({scratch.tokens, scratch.segments}, model::kLastLayer, scratch.workspace,
                       hidden, executor);
  piece.n_tokens += scratch.tokens.size();

  // Each reported position is taken from the copy that hides it.
  const std::size_t begin = piece.n_before();
  std::vector<std::size_t> reported;
  std::size_t n_rows = 0;
  scratch.gathered.resize_discard(piece.n_positions() * width_);
  for (std::size_t c = 0; c < copies.size(); ++c) {
    std::size_t i = copies[c].first;
    if (i < begin) i += (begin - i + spacing - 1) / spacing * spacing;
    for (; i < begin + piece.n_positions(); i += spacing) {
      const auto row = hidden.row(c * n + i);
      std::copy(row.begin(), row.end(), scratch.gathered.data() + n_rows++ * width_);
      reported.push_back(i - begin);
    }
  }
  std::vector<float> ln_p(n_rows * kBases);
  base_log_probs_.compute({scratch.gathered.data(), n_rows, width_}, scratch.logits, ln_p);
  for (std::size_t r = 0; r < n_rows; ++r) {
    std::copy_n(ln_p.begin() + static_cast<std::ptrdiff_t>(r * kBases), kBases,
                piece.ln_p.begin() + static_cast<std::ptrdiff_t>(reported[r] * kBases));
  }
}

}  // namespace genomamba::pipeline
