// SPDX-License-Identifier: MIT
// Every record is accounted for, and what is wrong with one is said by file, record and reason.
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "table.hpp"
#include "tmp_dir.hpp"

using genomamba::test::parse_table;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

using Names = std::vector<std::string>;

genomamba::test::AppResult embed(const TmpDir& tmp, const std::string& arguments) {
  return run_shell("genomamba embed -m tiny-random " + arguments, tmp.path());
}

}  // namespace

TEST_CASE("Lower case, U and IUPAC letters are read as the contract says") {
  const TmpDir tmp;
  tmp.write("a.fa", ">upper\nACGTN\n>lower\nacgtn\n>rna\nACGUN\n>iupac\nACGTR\n");
  const auto result = embed(tmp, "a.fa");
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("1 IUPAC letters") != std::string::npos);
  CHECK(result.err.find("1 letters U") != std::string::npos);
  const auto values = parse_table(result.out).column("e0");
  for (const std::string& value : values)
    CHECK(value == values[0]);
}

TEST_CASE("Duplicate names, blanks in headers and CRLF") {
  const TmpDir tmp;
  tmp.write("a.fa", ">seq 0\r\nACGT\r\n\r\n>seq 1\r\nACGTA\r\n>x\ttab > here\r\nAC\r\n");
  const auto table = parse_table(embed(tmp, "-q a.fa").out);
  CHECK(table.column("id") == Names{"seq", "seq", "x"});
  CHECK(table.column("length") == Names{"4", "5", "2"});
  CHECK(table.column("comment")[1] == "1");
}

TEST_CASE("Faults name file and record and exit 1") {
  const TmpDir tmp;
  struct Fault {
    std::string name, text, says;
  };
  for (const Fault& fault : std::vector<Fault>{
           {"gap.fa", ">a\nAC-T\n", "gap.fa: record 1 (a): '-' at base 3"},
           {"protein.fa", ">p1\nMKVLE\n", "protein.fa: record 1 (p1): "},
           {"short.fq", "@a\nACGT\n+\nIIII\n@b\nACGT\n+\nIII\n",
            "short.fq: record 2 (b), line 8: "},
           {"cut.fq", "@a\nACGT\n+\nIIII\n@b\nACGT\n", "cut.fq: record 2 (b), line 6: "},
           {"noheader.fa", "ACGTACGT\nACGT\n", "noheader.fa: "},
       }) {
    tmp.write(fault.name, fault.text);
    const auto result = embed(tmp, "-q " + fault.name);
    INFO(result.err);
    CHECK(result.exit_code == 1);
    CHECK(result.err.find("genomamba-embed: error: " + fault.says) == 0);
    CHECK(result.err.find('\n') == result.err.size() - 1);
  }
}

TEST_CASE("Pairs: one row a pair, a missing mate is an error") {
  const TmpDir tmp;
  tmp.write("1.fq", "@p/1\nACGT\n+\nIIII\n@q/1\nAC\n+\nII\n");
  tmp.write("2.fq", "@p/2\nGG\n+\nII\n@q/2\nTT\n+\nII\n");
  tmp.write("3.fq", "@p/2\nGG\n+\nII\n");
  const auto table = parse_table(embed(tmp, "-q --pairs 1.fq 2.fq").out);
  CHECK(table.column("id") == Names{"p", "q"});
  CHECK(table.column("length") == Names{"6", "4"});
  const auto missing = embed(tmp, "-q --pairs 1.fq 3.fq");
  CHECK(missing.exit_code == 1);
  CHECK(missing.err.find("record 2 (q/1): has no mate: 3.fq ends after 1 records") !=
        std::string::npos);
}
