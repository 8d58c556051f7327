// SPDX-License-Identifier: MIT
// Values of a position: log-probability, entropy, probabilities, of one strand and of both.
#include "score_values.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "strand_merger.hpp"

using namespace genomamba::pipeline;  // NOLINT

namespace {

std::vector<float> logs(std::initializer_list<double> probabilities) {
  std::vector<float> values;
  for (const double p : probabilities)
    values.push_back(static_cast<float>(std::log(p)));
  return values;
}

}  // namespace

TEST_CASE("One strand: logp of the letter, entropy in bits, probabilities") {
  ScoreOptions options;
  options.kinds = {ScoreKind::kEntropy, ScoreKind::kLogp, ScoreKind::kProbs};
  const ScoreValues values(options);
  REQUIRE(values.n_columns() == 6);
  const auto ln_p = logs({0.5, 0.25, 0.125, 0.125, 0.25, 0.25, 0.25, 0.25});
  std::vector<float> out(12);
  values.compute("cN", ln_p, {}, out);
  CHECK(out[0] == Approx(1.75));
  CHECK(out[1] == Approx(std::log(0.25)));
  CHECK(out[2] == Approx(0.5));
  CHECK(out[5] == Approx(0.125));
  CHECK(out[6] == Approx(2));
  CHECK(std::isnan(out[7]));
  CHECK(out[8] == Approx(0.25));
}

TEST_CASE(
    "Both strands: the mean of logp, probabilities of the mean renormalised, nothing if one knows "
    "nothing") {
  ScoreOptions options;
  options.kinds = {ScoreKind::kLogp, ScoreKind::kProbs};
  const ScoreValues values(options);
  const auto forward = logs({0.5, 0.25, 0.125, 0.125});
  const auto reverse = logs({0.125, 0.25, 0.5, 0.125});
  std::vector<float> out(5);
  values.compute("A", forward, reverse, out);
  CHECK(out[0] == Approx(0.5 * (std::log(0.5) + std::log(0.125))));
  CHECK(out[1] + out[2] + out[3] + out[4] == Approx(1));
  CHECK(out[1] == Approx(out[2]));
  CHECK(out[2] == Approx(0.25 / 0.875));
  const std::vector<float> unknown(4, std::numeric_limits<float>::quiet_NaN());
  values.compute("A", forward, unknown, out);
  CHECK(std::isnan(out[0]));
  CHECK(std::isnan(out[4]));
}

TEST_CASE("unmasked columns say that the base was seen") {
  ScoreOptions options;
  options.kinds = {ScoreKind::kLogp, ScoreKind::kEntropy, ScoreKind::kProbs};
  options.method = ScoreMethod::kUnmasked;
  CHECK(score_columns(options) ==
        std::vector<std::string>{"logp_seen", "entropy_seen", "p_A", "p_C", "p_G", "p_T"});
}

TEST_CASE("StrandMerger: strands that are cut differently come out together, ascending") {
  std::string emitted;
  std::vector<float> sums;
  StrandMerger merger([&](std::size_t region, std::uint64_t begin, std::string_view letters,
                          std::span<const float> forward, std::span<const float> reverse) {
    emitted += std::to_string(region) + ":" + std::to_string(begin) + letters.data()[0] +
               std::to_string(letters.size()) + " ";
    for (std::size_t i = 0; i < letters.size(); ++i)
      sums.push_back(forward[4 * i] + reverse[4 * i]);
  });
  const std::string all = "ACGTAC";
  const auto piece = [&](bool reverse, std::uint64_t begin, std::uint64_t end) {
    ScorePiece p;
    p.region = 3;
    p.reverse = reverse;
    p.begin = p.read_begin = begin;
    p.end = p.read_end = end;
    p.letters = all.substr(begin, end - begin);
    for (std::uint64_t i = begin; i < end; ++i)
      p.ln_p.insert(p.ln_p.end(), 4, static_cast<float>(reverse ? 100 + i : i));
    return p;
  };
  merger.add(piece(false, 0, 4), true);
  merger.add(piece(true, 0, 1), true);
  merger.add(piece(true, 1, 6), true);
  merger.add(piece(false, 4, 6), true);
  CHECK(emitted == "3:0A1 3:1C3 3:4A2 ");
  CHECK(sums == std::vector<float>{100, 102, 104, 106, 108, 110});
}
