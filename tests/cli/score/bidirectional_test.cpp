// SPDX-License-Identifier: MIT
// genomamba score with bidirectional models: windows, strands, masks, and what is said of unmasked
// values.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "table.hpp"
#include "tmp_dir.hpp"

using genomamba::test::parse_table;
using genomamba::test::run_shell;
using genomamba::test::Table;
using genomamba::test::TmpDir;

namespace {

const std::string kGolden = std::string(GENOMAMBA_SOURCE_DIR) + "/tests/golden/data/";

std::string random_letters(std::size_t n, unsigned seed) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    seed = seed * 1664525U + 1013904223U;
    text += "ACGT"[seed >> 30];
  }
  return text;
}

std::string reverse_complement(std::string text) {
  std::reverse(text.begin(), text.end());
  for (char& c : text)
    c = "TGCA"[std::string("ACGT").find(c)];
  return text;
}

Table score(const TmpDir& tmp, const std::string& options) {
  const auto result = run_shell(
      "genomamba score -q -f r.fa --precision 7 --score logp,probs " + options, tmp.path());
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return parse_table(result.out);
}

double largest_difference(const Table& a, const Table& b, bool is_mirrored) {
  REQUIRE(a.rows.size() == b.rows.size());
  const std::string mirrored_base = "TGCA";
  double largest = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const auto& other = b.rows[is_mirrored ? b.rows.size() - 1 - i : i];
    for (std::size_t base = 0; base < 4; ++base) {
      const std::string mine = std::string("p_") + "ACGT"[base];
      const std::string theirs = is_mirrored ? std::string("p_") + mirrored_base[base] : mine;
      largest =
          std::max(largest, std::abs(std::stod(a.rows[i].at(mine)) - std::stod(other.at(theirs))));
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("The reverse complement of the reference gives mirrored probabilities") {
  const TmpDir tmp;
  const std::string letters = random_letters(200, 3);
  tmp.write("r.fa", ">a\n" + letters + "\n>rc\n" + reverse_complement(letters) + "\n");
  for (const std::string model : {"caduceus-ps-fused", "plantcaduceus-tiny"}) {
    const std::string m = "-m " + kGolden + model;
    for (const std::string method :
         {" --method masked", " --method unmasked", " --mask-spacing 3"}) {
      INFO(model << method);
      // No longer than a window; then longer, with mirrored tiles.
      CHECK(largest_difference(score(tmp, m + method + " -r a"), score(tmp, m + method + " -r rc"),
                               true) < 1e-5);
      const std::string tiles = m + method + " --window 48 --overlap 16";
      CHECK(largest_difference(score(tmp, tiles + " -r a"),
                               score(tmp, tiles + " --strand reverse -r rc"), true) < 1e-5);
      CHECK(largest_difference(score(tmp, tiles + " -r a"),
                               score(tmp, tiles + " --strand mean -r a"), false) == 0);
    }
  }
  const std::string ph = "-m " + kGolden + "caduceus-ph-tied-add --window 48";
  const auto forward = score(tmp, ph + " -r a");
  const auto reverse = score(tmp, ph + " --strand reverse -r a");
  const auto mean = score(tmp, ph + " --strand mean -r a");
  for (std::size_t i = 0; i < mean.rows.size(); ++i) {
    const double wanted =
        (std::stod(forward.rows[i].at("logp")) + std::stod(reverse.rows[i].at("logp"))) / 2;
    CHECK(std::abs(std::stod(mean.rows[i].at("logp")) - wanted) < 1e-5);
  }
}

TEST_CASE("A region is tiled from its start, so that a tile is the region of the same place") {
  const TmpDir tmp;
  tmp.write("r.fa", ">a\n" + random_letters(300, 4) + "\n");
  const std::string options = "-m " + kGolden + "caduceus-ps-fused --window 64 --overlap 16 ";
  const auto whole = score(tmp, options + "-r a:101-250");
  const auto tile = score(tmp, options + "-r a:149-196");  // steps of 48
  Table part;
  part.rows.assign(whole.rows.begin() + 48, whole.rows.begin() + 96);
  CHECK(largest_difference(part, tile, false) == 0);
  const auto threads = score(tmp, options + "-t 1 -r a:101-250");
  CHECK(largest_difference(whole, threads, false) == 0);
}

TEST_CASE("unmasked says so in help, header, columns and on stderr, overlap check reports") {
  const TmpDir tmp;
  tmp.write("r.fa", ">a\n" + random_letters(300, 5) + "\n");
  const std::string score_app = "genomamba score -f r.fa -m " + kGolden + "caduceus-ps-fused ";
  CHECK(run_shell("genomamba score --help", tmp.path()).out.find("reconstruction score") !=
        std::string::npos);
  const auto result = run_shell(
      score_app +
          "--method unmasked --bedgraph 't.{score}.bg' --tsv - --overlap-check 5 --window 64",
      tmp.path());
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.find("reconstruction scores") != std::string::npos);
  CHECK(result.err.find("overlap check: 5 places with overlap 16 and 32") != std::string::npos);
  CHECK(result.out.find("##note=unmasked") != std::string::npos);
  CHECK(parse_table(result.out).columns.back() == "logp_seen");
  CHECK(tmp.entries()[1] == "t.logp_seen.bg");
  CHECK(run_shell(score_app + "--context 5", tmp.path()).exit_code == 2);
  CHECK(run_shell(score_app + "--method causal", tmp.path()).exit_code == 2);
  CHECK(run_shell(score_app + "--window 10 --overlap 10", tmp.path()).exit_code == 2);
}
