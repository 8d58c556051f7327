// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/log_likelihood.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "genomamba/core/error.hpp"

using namespace genomamba;            // NOLINT(google-build-using-namespace)
using namespace genomamba::pipeline;  // NOLINT(google-build-using-namespace)

namespace {

LoadedModel open_model(const std::string& path) {
  return load_model(std::string(GENOMAMBA_SOURCE_DIR) + path, "");
}

/// One forward pass over `prefix` and the whole sequence, softmax over A, C, G and T in double.
double plain_sum(const LoadedModel& model, const std::vector<TokenId>& prefix,
                 const std::string& sequence) {
  std::vector<TokenId> tokens = prefix;
  tokens.resize(prefix.size() + sequence.size());
  model.tokenizer.encode(sequence, std::span(tokens).subspan(prefix.size()));
  const std::size_t n = tokens.size();
  const std::size_t width = model.model.config().hidden_width();
  const std::size_t vocab_size = model.model.config().vocab_size;
  std::vector<float> hidden(n * width);
  std::vector<float> logits(n * vocab_size);
  model::Workspace workspace;
  const std::vector<model::Segment> segments = {{0, n, nullptr}};
  const Span2d<float> rows(hidden.data(), n, width);
  model.model.forward({tokens, segments}, model::kLastLayer, workspace, rows);
  model.model.logits(rows, {logits.data(), n, vocab_size});
  double total = 0;
  for (std::size_t i = 1; i < n; ++i) {
    double sum = 0;
    double own = NAN;
    for (const char base : {'A', 'C', 'G', 'T'}) {
      const auto id = static_cast<std::size_t>(model.tokenizer.token(base));
      const auto logit = static_cast<double>(logits[(i - 1) * vocab_size + id]);
      sum += std::exp(logit);
      if (tokens[i] == static_cast<TokenId>(id)) own = logit;
    }
    if (!std::isnan(own)) total += own - std::log(sum);
  }
  return total;
}

std::string some_letters(std::size_t n) {
  std::string letters;
  for (std::size_t i = 0; i < n; ++i)
    letters += "ACGTTGCAAGNC"[i * i * 7 % 12];
  return letters;
}

}  // namespace

TEST_CASE("log_likelihood is the sum of one plain pass, over several chunks too") {
  const LoadedModel model = open_model("/data/models/tiny-random");
  for (const std::size_t n : {0U, 1U, 2U, 50U, 9000U}) {
    const std::string sequence = some_letters(n);
    const double expected = n == 0 ? 0 : plain_sum(model, {}, sequence);
    CHECK(std::abs(log_likelihood(model, sequence) - expected) <= 1e-5 * static_cast<double>(n));
  }
}

TEST_CASE("With a start token the first letter counts") {
  const LoadedModel model = open_model("/data/models/microbe-causal");
  const std::vector<TokenId> prefix = {*model.tokenizer.special("[BOS]")};
  const std::string sequence = some_letters(300);
  CHECK(std::abs(log_likelihood(model, sequence) - plain_sum(model, prefix, sequence)) < 1e-3);
  CHECK(log_likelihood(model, "A") < 0);
}

TEST_CASE("A model that is not causal has no likelihood") {
  const LoadedModel model = open_model("/tests/golden/data/caduceus-ph-tied-add");
  CHECK_THROWS_AS(log_likelihood(model, "ACGT"), UsageError);
}
