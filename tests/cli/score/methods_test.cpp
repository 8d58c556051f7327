// SPDX-License-Identifier: MIT
// genomamba score: causal context and strands; options that do not fit the model.
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "table.hpp"
#include "tmp_dir.hpp"

using genomamba::test::parse_table;
using genomamba::test::read_file;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

const std::string kScore = "genomamba score -q -m tiny-random -f r.fa ";

std::string random_letters(std::size_t n, unsigned seed) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    seed = seed * 1664525U + 1013904223U;
    text += "ACGT"[seed >> 30];
  }
  return text;
}

std::string npy_data(const TmpDir& tmp, const std::string& options) {
  const auto result = run_shell(kScore + options + " --npy x.npy", tmp.path());
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return read_file(tmp.file("x.npy")).substr(128);
}

std::string part(const std::string& data, std::size_t begin, std::size_t end,
                 std::size_t bytes = sizeof(float)) {
  return data.substr(begin * bytes, (end - begin) * bytes);
}

}  // namespace

TEST_CASE("Option --context whole: a region has the values of the whole contig, to the bit") {
  const TmpDir tmp;
  // Longer than 16 batches, so that the pass with all cores is taken too.
  const std::size_t n = 70000;
  tmp.write("r.fa", ">a\n" + random_letters(n, 1) + "\n>b\nACGATCGAAC\n");
  const std::string strand = GENERATE(as<std::string>{}, "forward", "reverse", "mean");
  INFO(strand);
  const std::string options = "--strand " + strand + " --context whole ";
  const std::string all = npy_data(tmp, options);
  CHECK(npy_data(tmp, options + "-r a:69001-69100") == part(all, 69000, 69100));
  CHECK(npy_data(tmp, options + "-r a:11-20") == part(all, 10, 20));
  // Shared passes: in order, then unsorted and overlapping with another contig in between.
  CHECK(npy_data(tmp, options + "-r a:101-200 -r a:5001-5100 -r b") ==
        part(all, 100, 200) + part(all, 5000, 5100) + part(all, n, n + 10));
  CHECK(npy_data(tmp, options + "-r a:5001-5100 -r b:2-3 -r a:101-200 -r a:151-250") ==
        part(all, 5000, 5100) + part(all, n + 1, n + 3) + part(all, 100, 200) +
            part(all, 150, 250));
}

TEST_CASE("Option --context N reads N bases before a region, after it on the reverse strand") {
  const TmpDir tmp;
  const std::string letters = random_letters(300, 2);
  tmp.write("r.fa", ">a\n" + letters + "\n>front\n" + letters.substr(90, 60) + "\n>back\n" +
                        letters.substr(100, 60) + "\n");
  CHECK(npy_data(tmp, "--context 10 -r a:101-150") == part(npy_data(tmp, "-r front"), 10, 60));
  CHECK(npy_data(tmp, "--context 10 --strand reverse -r a:101-150") ==
        part(npy_data(tmp, "--strand reverse -r back"), 0, 50));
  CHECK(npy_data(tmp, "-r a:101-150") == part(npy_data(tmp, "-r a"), 100, 150));
}

TEST_CASE("reverse is the other strand: the reverse complement gives the mirrored values") {
  const TmpDir tmp;
  tmp.write("r.fa", ">a\nACGTTGCAAC\n>rc\nGTTGCAACGT\n");
  const auto a =
      parse_table(run_shell(kScore + "-r a --score logp,probs --strand reverse", tmp.path()).out);
  const auto rc = parse_table(run_shell(kScore + "-r rc --score logp,probs", tmp.path()).out);
  const auto mean =
      parse_table(run_shell(kScore + "-r a --strand mean --precision 6", tmp.path()).out);
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(a.rows[i].at("logp") == rc.rows[9 - i].at("logp"));
    CHECK(a.rows[i].at("p_A") == rc.rows[9 - i].at("p_T"));
    CHECK(a.rows[i].at("p_C") == rc.rows[9 - i].at("p_G"));
  }
  CHECK(a.rows[9].at("logp") == ".");
  CHECK(mean.rows[0].at("logp") == ".");
  CHECK(mean.rows[9].at("logp") == ".");
  CHECK(mean.rows[5].at("logp") != ".");
  tmp.write("r.bed", "a\t0\t10\tx\t0\t-\na\t0\t10\ty\t0\t+\n");
  const auto bed = parse_table(run_shell(kScore + "-R r.bed --strand bed", tmp.path()).out);
  CHECK(bed.rows[3].at("logp") == a.rows[3].at("logp"));
  CHECK(bed.rows[0].at("start") == "0");
}

TEST_CASE("Options that do not fit the model are usage errors") {
  const TmpDir tmp;
  tmp.write("r.fa", ">a\nACGT\n");
  for (const std::string bad :
       {"--method masked", "--method unmasked", "--window 10", "--overlap 3", "--mask-spacing 4",
        "--overlap-check 2", "--score logp,logp", "--score x", "--context -1", "--strand up",
        "--tsv - --bedgraph -", "--npy -", "--precision 12"}) {
    INFO(bad);
    CHECK(run_shell(kScore + bad, tmp.path()).exit_code == 2);
  }
  CHECK(run_shell("genomamba score -m tiny-random", tmp.path()).exit_code == 2);
  const auto dry =
      run_shell("genomamba score -m tiny-random -f r.fa -o t.tsv --dry-run", tmp.path());
  CHECK(dry.exit_code == 0);
  CHECK(dry.err.find("1 regions, 4 positions") != std::string::npos);
  CHECK(tmp.entries() == std::vector<std::string>{"r.fa"});
}
