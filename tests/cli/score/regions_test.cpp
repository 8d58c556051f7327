// SPDX-License-Identifier: MIT
// genomamba score: regions, indexes, and that a base is never shifted.
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

const std::string kScore = "genomamba score -m tiny-random ";

/// Letters of the rows of stdout, in order.
std::string letters(const std::string& out) {
  std::string text;
  for (const auto& row : parse_table(out).rows)
    text += row.at("ref");
  return text;
}

}  // namespace

TEST_CASE("Region strings as htslib reads them") {
  const TmpDir tmp;
  tmp.write("r.fa", ">chr1\nACGTACGTTA\n>HLA:A*01\nGGATTACA\n>ab\nACGTA\n>ab:3-4\nTTT\n");
  const auto run = [&](const std::string& region) {
    return run_shell(kScore + "-f r.fa -r '" + region + "'", tmp.path());
  };
  CHECK(letters(run("chr1:2-4").out) == "CGT");
  CHECK(letters(run("chr1:9").out) == "TA");
  CHECK(letters(run("chr1:1,0-10").out) == "A");
  CHECK(letters(run("{HLA:A*01}:3-5").out) == "ATT");
  CHECK(letters(run("HLA:A*01").out) == "GGATTACA");
  CHECK(letters(run("{ab}:3-4").out) == "GT");
  CHECK(letters(run("{ab:3-4}").out) == "TTT");
  for (const std::string bad :
       {"chr1:0-5", "chr1:5-2", "chr1:5-11", "nope:1-5", "", "ab:3-4", "chr1:1-5 ", "chr1:0"}) {
    INFO(bad);
    CHECK(run(bad).exit_code == 2);
  }
  CHECK(run("1:2-3").err.find("did you mean chr1?") != std::string::npos);
  CHECK(run("ab:3-4").err.find("{ab}:3-4") != std::string::npos);
  const auto clipped = run_shell(kScore + "-f r.fa --clip -r chr1:8-99", tmp.path());
  CHECK(letters(clipped.out) == "TTA");
  CHECK(clipped.err.find("shortened") != std::string::npos);
}

TEST_CASE("BED: headers, line ends, delimiters, columns, errors name the line") {
  const TmpDir tmp;
  tmp.write("r.fa", ">chr1\nACGTACGTTA\n");
  const auto run = [&](const std::string& bed) {
    tmp.write("r.bed", bed);
    return run_shell(kScore + "-f r.fa -R r.bed", tmp.path());
  };
  CHECK(letters(run("browser x\ntrack name=a\n# b\nchrom\tstart\tend\nchr1\t1\t3\r\n\r\nchr1\t4\t5")
                    .out) == "CGA");
  CHECK(letters(run("chr1 1 3\nchr1\t4  5\n").out) == "CGA");
  CHECK(letters(run("chr1\t1\t9\tx\t0\t+\t1\t9\t0\t2\t1,1,\t0,7\n").out) == "CGTACGTT");
  CHECK(parse_table(run("chr1\t1\t2\tleft arm\t0\t-\n").out).rows[0].at("region") == "left arm");
  CHECK(run("chr1\t3\t3\tz\n").err.find("region z has no length") != std::string::npos);
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"chr1\t1\t2\nchr1\t3\n", "line 2: 2 columns"},
      {"chr1\t3\t2\n", "line 1: start 3 > end 2"},
      {"chr1\t-1\t2\n", "line 1: start '-1'"},
      {"chr1\t1e1\t20\n", "line 1: start '1e1'"},
      {"chr1\t5\t11\tr2\n", "region r2: 5-11 reaches past the end of chr1 (10 bases)"},
      {"1\t5\t11\n", "no contig 1 in r.fa; did you mean chr1?"},
      {"chr1\t1\t2\rchr1\t3\t4\r", "CR"}};
  for (const auto& [bed, words] : bad) {
    const auto result = run(bed);
    INFO(bed << result.err);
    CHECK(result.exit_code == 1);
    CHECK(result.err.find(words) != std::string::npos);
    CHECK(result.out.empty());
  }
}

TEST_CASE(
    "An index that is missing, old or wrong: right letters, a word on stderr, nothing beside the "
    "FASTA") {
  const TmpDir tmp;
  tmp.write("r.fa", ">chr1\nACGTACGT\nTTAGC\n>chr2 x\nGGATTACA\n");
  const std::string command = kScore + "-f r.fa -r chr2:3-6";
  const auto missing = run_shell(command, tmp.path());
  CHECK(letters(missing.out) == "ATTA");
  CHECK(missing.err.find("samtools faidx r.fa") != std::string::npos);
  CHECK(tmp.entries() == std::vector<std::string>{"r.fa"});
  tmp.write("r.fa.fai", "chr1\t13\t6\t8\t9\nchr2\t8\t29\t8\t9\n");
  CHECK(run_shell(command, tmp.path()).err.find("samtools") == std::string::npos);
  const auto old = run_shell("touch -d '2 hours ago' r.fa.fai; " + command, tmp.path());
  CHECK(letters(old.out) == "ATTA");
  CHECK(old.err.find("older") != std::string::npos);
  for (const std::string wrong :
       {"chr1\t13\t6\t8\t9\nchr2\t8\t27\t8\t9\n", "chr2\t8\t29\t8\t9\n", "junk\n", ""}) {
    tmp.write("r.fa.fai", wrong);
    const auto result = run_shell(command, tmp.path());
    INFO(wrong);
    CHECK(letters(result.out) == "ATTA");
    CHECK(result.err.find("does not fit") != std::string::npos);
    CHECK(read_file(tmp.file("r.fa.fai")) == wrong);
  }
  tmp.write("other.fai", "chr1\t13\t6\t8\t9\nchr2\t8\t29\t8\t9\n");
  CHECK(run_shell(kScore + "-f r.fa --fai other.fai -r chr2:3-6", tmp.path()).err.find("fit") ==
        std::string::npos);
}

TEST_CASE("A FASTA whose lines would shift bases is refused with contig and line") {
  const TmpDir tmp;
  const std::vector<std::pair<std::string, std::string>> bad = {
      {">a\nACGT\nACG\nACGT\n", "contig a, line 4"},
      {">a\nACGT\n\nACGT\n", "blank line"},
      {">a\nACGT\n>a\nACGT\n", "the name a occurs twice"},
      {">a\nAC GT\n", "contig a, line 2"},
      {"ACGT\n", "no FASTA"},
      {"", "holds no sequence"},
      {">a\rACGT\r", "CR inside"}};
  for (const auto& [fasta, words] : bad) {
    tmp.write("r.fa", fasta);
    const auto result = run_shell(kScore + "-f r.fa -r a:1-2", tmp.path());
    INFO(fasta << result.err);
    CHECK(result.exit_code != 0);
    CHECK(result.err.find(words) != std::string::npos);
  }
  tmp.write("r.fa", ">a\r\nACGT\r\nTTGA\r\nC\r\n\r\n");
  CHECK(letters(run_shell(kScore + "-f r.fa -r a:4-9", tmp.path()).out) == "TTTGAC");
  const auto fifo = run_shell(kScore + "-f <(cat r.fa)", tmp.path());
  CHECK(fifo.exit_code == 1);
  CHECK(fifo.err.find("regular file") != std::string::npos);
  CHECK(letters(run_shell("printf 'a\\t0\\t2\\n' | " + kScore + "-f r.fa -R -", tmp.path()).out) ==
        "AC");
}
