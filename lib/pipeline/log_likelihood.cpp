// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/log_likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "causal_scorer.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::pipeline {
namespace {

constexpr std::size_t kChunk = 4096;  // tokens; changes no bit of the result

}  // namespace

double log_likelihood(const LoadedModel& model, std::string_view sequence) {
  if (!model.model.config().is_causal())
    throw UsageError(model.name + ": the likelihood of a sequence needs a causal model");
  const CausalScorer scorer(model);
  CausalScorer::Stream stream = scorer.begin_stream();
  ScoreScratch scratch;
  std::vector<float> ln_p;
  double sum = 0;
  for (std::size_t begin = 0; begin < sequence.size(); begin += kChunk) {
    const std::string_view letters = sequence.substr(begin, kChunk);
    const CausalChunk chunk = scorer.advance(stream, letters, scratch, serial_executor());
    ln_p.resize(letters.size() * kBases);
    scorer.compute(chunk, scratch.logits, ln_p);
    for (std::size_t i = chunk.has_first ? 0 : 1; i < letters.size(); ++i) {
      const std::size_t base = base_index(letters[i]);
      if (base == kBases) continue;
      const float value = ln_p[i * kBases + base];
      if (!std::isfinite(value)) {
        throw Error(fmt::format("the model's output is not finite at position {}", begin + i + 1));
      }
      sum += static_cast<double>(value);
    }
  }
  return sum;
}

}  // namespace genomamba::pipeline
