// SPDX-License-Identifier: MIT
#include "causal_scorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "genomamba/core/error.hpp"
#include "genomamba/core/nucleotide.hpp"

namespace genomamba::pipeline {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

}  // namespace

std::string_view oriented_letters(const ScorePiece& piece, std::string& oriented) {
  if (!piece.reverse) return piece.letters;
  oriented = piece.letters;
  reverse_complement(oriented);
  return oriented;
}

void check_finite(const ScorePiece& piece, const std::string& contig_name) {
  for (std::size_t i = 0; i < piece.ln_p.size(); ++i) {
    if (std::isfinite(piece.ln_p[i])) continue;
    const std::uint64_t position = piece.begin + i / kBases;
    const bool is_first_read =
        piece.reverse ? position + 1 == piece.read_end : position == piece.read_begin;
    if (is_first_read && std::isnan(piece.ln_p[i])) continue;
    throw Error(fmt::format("contig {}: the model's output is not finite at base {}", contig_name,
                            position + 1));
  }
}

CausalScorer::CausalScorer(const LoadedModel& model)
    : model_(model), base_log_probs_(model), width_(model.model.config().hidden_width()) {
  // Only a tokenizer that says add_bos_token gives the first base something to be predicted from.
  if (model.tokenizer.alphabet().prefix == "[BOS]") prefix_ = model.tokenizer.prefix();
}

void CausalScorer::score(std::span<ScorePiece> pieces, std::size_t batch_tokens,
                         ScoreScratch& scratch) const {
  for (std::size_t begin = 0; begin < pieces.size();) {
    std::size_t end = begin;
    std::size_t n_tokens = 0;
    while (end < pieces.size() && n_tokens + pieces[end].n_read() + n_prefix() <= batch_tokens) {
      n_tokens += pieces[end++].n_read() + n_prefix();
    }
    if (end > begin) {
      score_group(pieces.subspan(begin, end - begin), scratch);
    } else {
      score_chunks(pieces[end++], batch_tokens, scratch);
    }
    begin = end;
  }
}

void CausalScorer::score_group(std::span<ScorePiece> pieces, ScoreScratch& scratch) const {
  scratch.segments.clear();
  scratch.tokens.clear();
  for (ScorePiece& piece : pieces) {
    const std::size_t begin = scratch.tokens.size();
    scratch.tokens.insert(scratch.tokens.end(), prefix_.begin(), prefix_.end());
    scratch.tokens.resize(scratch.tokens.size() + piece.n_read());
    model_.tokenizer.encode(oriented_letters(piece, scratch.oriented),
                            std::span(scratch.tokens).subspan(begin + prefix_.size()));
    piece.n_tokens = scratch.tokens.size() - begin;
    scratch.segments.push_back({begin, piece.n_tokens, nullptr});
  }
  scratch.hidden.resize_discard(scratch.tokens.size() * width_);
  const Span2d<float> hidden(scratch.hidden.data(), scratch.tokens.size(), width_);
  model_.model.forward({scratch.tokens, scratch.segments}, model::kLastLayer, scratch.workspace,
                       hidden);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    ScorePiece& piece = pieces[p];
    piece.ln_p.assign(piece.n_positions() * kBases, kNaN);
    const std::size_t first =
        prefix_.size() + piece.n_before();  // token of the first reported base
    const std::size_t unknown = first == 0 ? 1 : 0;
    if (piece.n_positions() <= unknown) continue;
    const auto rows = hidden.row_block(scratch.segments[p].begin + first + unknown - 1,
                                       piece.n_positions() - unknown);
    base_log_probs_.compute(rows, scratch.logits, std::span(piece.ln_p).subspan(unknown * kBases));
    if (piece.reverse) reverse_complement_ln_p(piece.ln_p);
  }
}

void CausalScorer::score_chunks(ScorePiece& piece, std::size_t batch_tokens,
                                ScoreScratch& scratch) const {
  Stream stream = begin_stream();
  std::string turned;
  const std::string_view letters = oriented_letters(piece, turned);
  piece.ln_p.assign(piece.n_positions() * kBases, kNaN);
  std::vector<float> ln_p;
  const std::size_t report = piece.n_before();
  for (std::size_t begin = 0; begin < letters.size(); begin += batch_tokens) {
    const std::string_view part = letters.substr(begin, batch_tokens);
    const CausalChunk chunk = advance(stream, part, scratch, serial_executor());
    piece.n_tokens += part.size();
    const std::size_t end = std::min(begin + part.size(), report + piece.n_positions());
    if (end <= report) continue;
    ln_p.resize(part.size() * kBases);
    compute(chunk, scratch.logits, ln_p);
    const std::size_t from = std::max(begin, report);
    std::copy(ln_p.begin() + static_cast<std::ptrdiff_t>((from - begin) * kBases),
              ln_p.begin() + static_cast<std::ptrdiff_t>((end - begin) * kBases),
              piece.ln_p.begin() + static_cast<std::ptrdiff_t>((from - report) * kBases));
  }
  if (piece.reverse) reverse_complement_ln_p(piece.ln_p);
}

CausalScorer::Stream CausalScorer::begin_stream() const {
  return {model_.model.make_state(), {}};
}

CausalChunk CausalScorer::advance(Stream& stream, std::string_view oriented, ScoreScratch& scratch,
                                  Executor& executor) const {
  const std::size_t n_prefix_now = stream.last.empty() ? prefix_.size() : 0;
  const bool has_last = !stream.last.empty();
  scratch.tokens.assign(prefix_.begin(),
                        prefix_.begin() + static_cast<std::ptrdiff_t>(n_prefix_now));
  scratch.tokens.resize(n_prefix_now + oriented.size());
  model_.tokenizer.encode(oriented, std::span(scratch.tokens).subspan(n_prefix_now));
  // Rows: the last of the chunk before, or the prefix; then the letters.
  const std::size_t n_rows = scratch.tokens.size() + (has_last ? 1 : 0);
  CausalChunk chunk;
  chunk.n_letters = oriented.size();
  chunk.has_first = has_last || n_prefix_now > 0;
  chunk.hidden = AlignedBuffer<float>();
  chunk.hidden.resize_discard(n_rows * width_);
  const Span2d<float> rows(chunk.hidden.data(), n_rows, width_);
  if (has_last) std::copy(stream.last.begin(), stream.last.end(), rows.row_data(0));
  scratch.segments.assign(1, {0, scratch.tokens.size(), &stream.state});
  model_.model.forward({scratch.tokens, scratch.segments}, model::kLastLayer, scratch.workspace,
                       rows.row_block(has_last ? 1 : 0, scratch.tokens.size()), executor);
  const auto last = rows.row(n_rows - 1);
  stream.last.assign(last.begin(), last.end());
  return chunk;
}

void CausalScorer::compute(const CausalChunk& chunk, AlignedBuffer<float>& logits,
                           std::span<float> ln_p) const {
  const std::size_t n_rows = chunk.hidden.size() / width_;
  const Span2d<const float> rows(chunk.hidden.data(), n_rows, width_);
  const std::size_t unknown = chunk.has_first ? 0 : 1;
  std::fill_n(ln_p.begin(), unknown * kBases, kNaN);
  // The last row predicts what follows the chunk; of a prefix of several tokens only the last row
  // predicts a letter.
  const std::size_t n = chunk.n_letters - unknown;
  base_log_probs_.compute(rows.row_block(n_rows - 1 - n, n), logits,
                          ln_p.subspan(unknown * kBases));
}

}  // namespace genomamba::pipeline
