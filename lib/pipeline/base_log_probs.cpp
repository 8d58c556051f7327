// SPDX-License-Identifier: MIT
#include "base_log_probs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace genomamba::pipeline {

std::size_t base_index(char letter) noexcept {
  switch (letter) {
    case 'A':
    case 'a':
      return 0;
    case 'C':
    case 'c':
      return 1;
    case 'G':
    case 'g':
      return 2;
    case 'T':
    case 't':
      return 3;
    default:
      return kBases;
  }
}

BaseLogProbs::BaseLogProbs(const LoadedModel& model) : model_(model.model) {
  constexpr char kLetters[] = "ACGT";
  for (std::size_t b = 0; b < kBases; ++b) {
    tokens_[b] = static_cast<std::size_t>(model.tokenizer.token(kLetters[b]));
  }
}

void BaseLogProbs::compute(Span2d<const float> hidden, AlignedBuffer<float>& logits,
                           std::span<float> ln_p) const {
  assert(ln_p.size() == hidden.rows() * kBases);
  const std::size_t vocab_size = model_.config().vocab_size;
  logits.resize_discard(hidden.rows() * vocab_size);
  const Span2d<float> rows(logits.data(), hidden.rows(), vocab_size);
  model_.logits(hidden, rows);
  for (std::size_t i = 0; i < hidden.rows(); ++i) {
    const float* const row = rows.row_data(i);
    float* const out = ln_p.data() + i * kBases;
    for (std::size_t b = 0; b < kBases; ++b)
      out[b] = row[tokens_[b]];
    const float largest = std::max(std::max(out[0], out[1]), std::max(out[2], out[3]));
    float sum = 0;
    for (std::size_t b = 0; b < kBases; ++b)
      sum += std::exp(out[b] - largest);
    const float log_sum = largest + std::log(sum);
    for (std::size_t b = 0; b < kBases; ++b)
      out[b] -= log_sum;
  }
}

double BaseLogProbs::ln_p(const float* logits, std::size_t base) const noexcept {
  const auto difference = [&](std::size_t b) {
    return static_cast<double>(logits[tokens_[b]]) - static_cast<double>(logits[tokens_[base]]);
  };
  double largest = 0;
  for (std::size_t b = 0; b < kBases; ++b)
    largest = std::max(largest, difference(b));
  double sum = 0;
  for (std::size_t b = 0; b < kBases; ++b)
    sum += std::exp(difference(b) - largest);
  return -largest - std::log(sum);
}

void reverse_complement_ln_p(std::span<float> ln_p) noexcept {
  // Complement of base b is 3 - b: with the positions reversed too, the whole span is reversed.
  std::reverse(ln_p.begin(), ln_p.end());
}

}  // namespace genomamba::pipeline
