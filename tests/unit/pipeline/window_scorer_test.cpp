// SPDX-License-Identifier: MIT
// WindowScorer against the reference computation: one masked forward pass, softmax over A, C, G and
// T.
#include "window_scorer.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace genomamba;            // NOLINT(google-build-using-namespace)
using namespace genomamba::pipeline;  // NOLINT(google-build-using-namespace)

namespace {

LoadedModel golden_model(const std::string& name) {
  return load_model(std::string(GENOMAMBA_SOURCE_DIR) + "/tests/golden/data/" + name, "");
}

ScoreOptions options_for(ScoreMethod method, std::size_t spacing) {
  ScoreOptions options;
  options.method = method;
  options.mask_spacing = spacing;
  options.overlap = 0;
  return options;
}

ScorePiece piece_of(const std::string& letters, std::uint64_t begin, std::uint64_t end,
                    bool reverse = false) {
  ScorePiece piece;
  piece.reverse = reverse;
  piece.begin = begin;
  piece.end = end;
  piece.read_end = letters.size();
  piece.letters = letters;
  return piece;
}

/// ln P of the four bases at `position` when the positions of `masked` are hidden; in double.
std::vector<double> reference(const LoadedModel& model, const std::string& letters,
                              std::size_t position, const std::vector<std::size_t>& masked) {
  std::vector<TokenId> tokens(letters.size());
  model.tokenizer.encode(letters, tokens);
  for (const std::size_t i : masked)
    tokens[i] = *model.tokenizer.special("[MASK]");
  const std::size_t width = model.model.config().hidden_width();
  const std::size_t vocab_size = model.model.config().vocab_size;
  std::vector<float> hidden(letters.size() * width);
  std::vector<float> logits(letters.size() * vocab_size);
  model::Workspace workspace;
  const std::vector<model::Segment> segments = {{0, letters.size(), nullptr}};
  const Span2d<float> rows(hidden.data(), letters.size(), width);
  model.model.forward({tokens, segments}, model::kLastLayer, workspace, rows);
  model.model.logits(rows, {logits.data(), letters.size(), vocab_size});
  std::vector<double> ln_p;
  double sum = 0;
  for (const char base : {'A', 'C', 'G', 'T'}) {
    const auto id = static_cast<std::size_t>(model.tokenizer.token(base));
    ln_p.push_back(static_cast<double>(logits[position * vocab_size + id]));
    sum += std::exp(ln_p.back());
  }
  for (double& value : ln_p)
    value -= std::log(sum);
  return ln_p;
}

const std::string kLetters = "GATTACAGGCATNNACGTTAGCCATCGATTTGACGGACCATAG";

}  // namespace

TEST_CASE("masked, spacing 0: each position hidden alone") {
  const std::string name = GENERATE(as<std::string>{}, "caduceus-ph-tied-add", "caduceus-ps-fused",
                                    "plantcaduceus-tiny");
  const LoadedModel model = golden_model(name);
  const WindowScorer scorer(options_for(ScoreMethod::kMasked, 0), model);
  ScoreScratch scratch;
  ScorePiece piece = piece_of(kLetters, 5, 30);
  scorer.score(piece, 200, scratch, serial_executor());
  for (const std::size_t position : {5U, 6U, 13U, 29U}) {
    const auto wanted = reference(model, kLetters, position, {position});
    for (std::size_t b = 0; b < kBases; ++b) {
      CHECK(static_cast<double>(piece.ln_p[(position - 5) * kBases + b]) ==
            Approx(wanted[b]).margin(1e-4));
    }
  }
}

TEST_CASE(
    "masked, spacing 8: a position is hidden with all of its residue in the window, whatever the "
    "batch") {
  const LoadedModel model = golden_model("caduceus-ps-fused");
  const WindowScorer scorer(options_for(ScoreMethod::kMasked, 8), model);
  ScoreScratch scratch;
  ScorePiece one = piece_of(kLetters, 3, 33);
  scorer.score(one, 1 << 20, scratch, serial_executor());
  CHECK(one.n_tokens == 8 * kLetters.size());
  ScorePiece other = piece_of(kLetters, 3, 33);
  scorer.score(other, 1, scratch, serial_executor());
  CHECK(one.ln_p == other.ln_p);
  const auto wanted = reference(model, kLetters, 20, {4, 12, 20, 28, 36});
  for (std::size_t b = 0; b < kBases; ++b) {
    CHECK(static_cast<double>(one.ln_p[(20 - 3) * kBases + b]) == Approx(wanted[b]).margin(1e-4));
  }
}

TEST_CASE("unmasked: one pass, reverse: the other strand, seen from this one") {
  const LoadedModel model = golden_model("caduceus-ps-fused");
  const WindowScorer scorer(options_for(ScoreMethod::kUnmasked, 0), model);
  ScoreScratch scratch;
  ScorePiece piece = piece_of(kLetters, 0, kLetters.size());
  scorer.score(piece, 1000, scratch, serial_executor());
  CHECK(piece.n_tokens == kLetters.size());
  const auto wanted = reference(model, kLetters, 7, {});
  for (std::size_t b = 0; b < kBases; ++b) {
    CHECK(static_cast<double>(piece.ln_p[7 * kBases + b]) == Approx(wanted[b]).margin(1e-4));
  }
  // RC-equivariant: both strands say the same of each base.
  ScorePiece reverse = piece_of(kLetters, 0, kLetters.size(), true);
  scorer.score(reverse, 1000, scratch, serial_executor());
  for (std::size_t i = 0; i < piece.ln_p.size(); ++i) {
    CHECK(reverse.ln_p[i] == Approx(piece.ln_p[i]).margin(1e-5));
  }
}
