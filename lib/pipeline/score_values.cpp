// SPDX-License-Identifier: MIT
#include "score_values.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace genomamba::pipeline {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::size_t width(ScoreKind kind) {
  return kind == ScoreKind::kProbs ? kBases : 1;
}

float entropy_in_bits(const float* ln_p) {
  constexpr double kLn2 = 0.693147180559945309417;
  double sum = 0;
  for (std::size_t b = 0; b < kBases; ++b)
    sum -= std::exp(static_cast<double>(ln_p[b])) * static_cast<double>(ln_p[b]);
  return static_cast<float>(sum / kLn2);
}

void normalise(const std::array<float, kBases>& ln_p, std::array<float, kBases>& out) {
  const float largest = *std::max_element(ln_p.begin(), ln_p.end());
  float sum = 0;
  for (const float value : ln_p)
    sum += std::exp(value - largest);
  const float log_sum = largest + std::log(sum);
  for (std::size_t b = 0; b < kBases; ++b)
    out[b] = ln_p[b] - log_sum;
}

}  // namespace

const char* to_string(ScoreKind kind) noexcept {
  switch (kind) {
    case ScoreKind::kLogp:
      return "logp";
    case ScoreKind::kEntropy:
      return "entropy";
    case ScoreKind::kProbs:
      return "probs";
  }
  return "";
}

const char* to_string(ScoreMethod method) noexcept {
  switch (method) {
    case ScoreMethod::kCausal:
      return "causal";
    case ScoreMethod::kMasked:
      return "masked";
    case ScoreMethod::kUnmasked:
      return "unmasked";
  }
  return "";
}

const char* to_string(ScoreStrand strand) noexcept {
  switch (strand) {
    case ScoreStrand::kForward:
      return "forward";
    case ScoreStrand::kReverse:
      return "reverse";
    case ScoreStrand::kMean:
      return "mean";
    case ScoreStrand::kBed:
      return "bed";
  }
  return "";
}

std::vector<std::string> score_columns(const ScoreOptions& options) {
  const std::string ending = options.method == ScoreMethod::kUnmasked ? "_seen" : "";
  std::vector<std::string> columns;
  for (const ScoreKind kind : options.kinds) {
    if (kind == ScoreKind::kProbs) {
      columns.insert(columns.end(), {"p_A", "p_C", "p_G", "p_T"});
    } else {
      columns.push_back(to_string(kind) + ending);
    }
  }
  return columns;
}

ScoreValues::ScoreValues(const ScoreOptions& options) : kinds_(options.kinds) {
  for (const ScoreKind kind : kinds_)
    n_columns_ += width(kind);
}

void ScoreValues::compute_one(char letter, const float* ln_p, const float* normalised,
                              float* values) const {
  for (const ScoreKind kind : kinds_) {
    if (kind == ScoreKind::kLogp) {
      const std::size_t base = base_index(letter);
      *values = base < kBases ? ln_p[base] : kNaN;
    } else if (kind == ScoreKind::kEntropy) {
      *values = entropy_in_bits(normalised);
    } else {
      for (std::size_t b = 0; b < kBases; ++b)
        values[b] = std::exp(normalised[b]);
    }
    values += width(kind);
  }
}

void ScoreValues::compute(std::string_view letters, std::span<const float> forward,
                          std::span<const float> reverse, std::span<float> values) const {
  assert(values.size() == letters.size() * n_columns_);
  const std::span<const float> one = reverse.empty() ? forward : reverse;
  const bool is_mean = !forward.empty() && !reverse.empty();
  std::array<float, kBases> mean{};
  std::array<float, kBases> normalised{};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    float* const out = values.data() + i * n_columns_;
    const float* const ln_p = one.data() + i * kBases;
    if (!is_mean) {
      if (std::isnan(ln_p[0])) {
        std::fill_n(out, n_columns_, kNaN);
      } else {
        compute_one(letters[i], ln_p, ln_p, out);
      }
      continue;
    }
    for (std::size_t b = 0; b < kBases; ++b)
      mean[b] = 0.5F * (forward[i * kBases + b] + ln_p[b]);
    if (std::isnan(mean[0])) {
      std::fill_n(out, n_columns_, kNaN);
      continue;
    }
    normalise(mean, normalised);
    compute_one(letters[i], mean.data(), normalised.data(), out);
  }
}

}  // namespace genomamba::pipeline
