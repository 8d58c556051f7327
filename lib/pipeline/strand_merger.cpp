// SPDX-License-Identifier: MIT
#include "strand_merger.hpp"

#include <algorithm>
#include <cassert>

#include "base_log_probs.hpp"

namespace genomamba::pipeline {

std::string_view reported_letters(const ScorePiece& piece) {
  return std::string_view(piece.letters)
      .substr(static_cast<std::size_t>(piece.begin - piece.read_begin), piece.n_positions());
}

void StrandMerger::add(const ScorePiece& piece, bool is_merged) {
  const std::string_view letters = reported_letters(piece);
  if (!is_merged) {
    assert(forward_.letters.empty() && reverse_.letters.empty());
    const std::span<const float> none;
    emit_(piece.region, piece.begin, letters, piece.reverse ? none : piece.ln_p,
          piece.reverse ? piece.ln_p : none);
    return;
  }
  if (forward_.letters.empty() && reverse_.letters.empty()) {
    region_ = piece.region;
    begin_ = piece.begin;
  }
  Side& side = piece.reverse ? reverse_ : forward_;
  assert(piece.region == region_ && piece.begin == begin_ + side.letters.size());
  side.letters += letters;
  side.ln_p.insert(side.ln_p.end(), piece.ln_p.begin(), piece.ln_p.end());
  const std::size_t n = std::min(forward_.letters.size(), reverse_.letters.size());
  if (n == 0) return;
  emit_(region_, begin_, std::string_view(forward_.letters).substr(0, n),
        std::span<const float>(forward_.ln_p).first(n * kBases),
        std::span<const float>(reverse_.ln_p).first(n * kBases));
  for (Side* each : {&forward_, &reverse_}) {
    each->letters.erase(0, n);
    each->ln_p.erase(each->ln_p.begin(),
                     each->ln_p.begin() + static_cast<std::ptrdiff_t>(n * kBases));
  }
  begin_ += n;
}

}  // namespace genomamba::pipeline
