// SPDX-License-Identifier: MIT
// What is written: whole under its name, or not at all.
#include <cstring>
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "table.hpp"
#include "tmp_dir.hpp"

using genomamba::test::parse_table;
using genomamba::test::read_file;
using genomamba::test::run_app;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

using Names = std::vector<std::string>;
const std::string kEmbed = "genomamba embed -q -m tiny-random ";

}  // namespace

TEST_CASE("TSV: provenance lines, one header line, the columns of the contract") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a some words\nACGT\n");
  const auto table = parse_table(run_shell(kEmbed + "a.fa", tmp.path()).out);
  REQUIRE(table.provenance.size() == 3);
  CHECK(table.provenance[0].rfind("genomamba=", 0) == 0);
  CHECK(table.provenance[1].rfind("model=tiny-random sha256:", 0) == 0);
  CHECK(table.provenance[2].rfind("options=pool=mean", 0) == 0);
  CHECK(Names(table.columns.begin(), table.columns.begin() + 10) ==
        Names{"row", "id", "comment", "start", "end", "length", "n_tokens", "n_windows", "strand",
              "status"});
  CHECK(table.columns[10] == "e0");
  CHECK(table.columns.size() == 18);
  CHECK(table.rows[0].at("comment") == "some words");
  CHECK(parse_table(run_shell(kEmbed + "--no-version a.fa", tmp.path()).out).provenance.empty());
}

TEST_CASE("npy: the matrix and its row table hold what the TSV holds") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a\nACGT\n>b\nGGATTACA\n>c\n");
  REQUIRE(run_shell(kEmbed + "a.fa -o x.npy && gzip -dc x.rows.tsv.gz > rows.tsv", tmp.path())
              .exit_code == 0);
  CHECK(tmp.entries() == Names{"a.fa", "rows.tsv", "x.npy", "x.rows.tsv.gz"});
  const std::string npy = read_file(tmp.file("x.npy"));
  CHECK(npy.substr(1, 5) == "NUMPY");
  CHECK(npy.find("'shape': (3, 8)") != std::string::npos);
  REQUIRE(npy.size() == 128 + 3 * 8 * 4);
  const auto table = parse_table(run_shell(kEmbed + "a.fa", tmp.path()).out);
  const auto rows = parse_table(read_file(tmp.file("rows.tsv")));
  CHECK(rows.column("id") == Names{"a", "b", "c"});
  CHECK(rows.column("status") == Names{"ok", "ok", "empty"});
  float value = 0;
  std::memcpy(&value, npy.data() + 128 + (8 + 5) * sizeof(float), sizeof(float));
  CHECK(value == std::stof(table.rows[1].at("e5")));
  CHECK(table.rows[2].at("e0") == "nan");
}

TEST_CASE("No record gives a valid output with 0 rows and a warning") {
  const TmpDir tmp;
  tmp.write("empty.fa", "");
  const auto result = run_shell("genomamba embed -m tiny-random empty.fa -o x.npy", tmp.path());
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("warning: no record in empty.fa") != std::string::npos);
  CHECK(read_file(tmp.file("x.npy")).find("'shape': (0, 8)") != std::string::npos);
}

TEST_CASE("A run that fails leaves no file under the final name, nor a temporary one") {
  const TmpDir tmp;
  tmp.write("good.fa", ">a\nACGT\n");
  tmp.write("bad.fa", ">a\nACGT\n>b\nAC*T\n");
  tmp.write("cut.fq", "@a\nACGT\n+\nIII\n");
  run_shell("gzip -c good.fa | head -c 30 > cut.fa.gz", tmp.path());
  const Names before = tmp.entries();
  for (const std::string input : {"bad.fa", "cut.fq", "cut.fa.gz", "good.fa missing.fa"}) {
    for (const std::string output : {"x.npy", "x.tsv", "x.tsv.gz"}) {
      const auto result = run_shell(kEmbed + input + " -o " + output, tmp.path());
      INFO(input + " " + result.err);
      CHECK(result.exit_code == 1);
      CHECK(result.err.find("genomamba-embed: error: ") == 0);
      CHECK(tmp.entries() == before);
    }
  }
}

TEST_CASE("A full disk is an error that names the output") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a\nACGT\n");
  const auto stdout_full = run_shell(kEmbed + "a.fa > /dev/full", tmp.path());
  CHECK(stdout_full.exit_code == 1);
  CHECK(stdout_full.err.find("No space left on device") != std::string::npos);
  const auto named = run_shell(kEmbed + "a.fa -o /dev/full", tmp.path());
  CHECK(named.exit_code == 1);
  CHECK(named.err.find("/dev/full") != std::string::npos);
  const auto limited = run_shell("ulimit -f 0; " + kEmbed + "a.fa -o x.npy", tmp.path());
  CHECK(limited.exit_code == 1);
  CHECK(tmp.entries() == Names{"a.fa"});
}

TEST_CASE("A missing output folder is an error before anything is read") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a\nACGT\n");
  const auto result = run_shell(kEmbed + "a.fa -o no/such/x.npy", tmp.path());
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("no/such/x.npy") != std::string::npos);
}

TEST_CASE("The report is written on success and on failure") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a\nACGT\n>b\nACRU\n");
  REQUIRE(run_shell(kEmbed + "a.fa --report ok.json > /dev/null", tmp.path()).exit_code == 0);
  const std::string ok = read_file(tmp.file("ok.json"));
  CHECK(ok.find("\"schema_version\": 1") == 4);
  for (const char* part :
       {"\"exit_status\": 0", "\"records_in\": 2", "\"bases\": 8", "\"iupac_letters\": 1",
        "\"uracil_letters\": 1", "\"weights_sha256\": \"", "\"peak_rss_bytes\": "}) {
    CHECK(ok.find(part) != std::string::npos);
  }
  CHECK(run_shell(kEmbed + "missing.fa --report bad.json", tmp.path()).exit_code == 1);
  const std::string bad = read_file(tmp.file("bad.json"));
  CHECK(bad.find("\"exit_status\": 1") != std::string::npos);
  CHECK(bad.find("missing.fa") != std::string::npos);
}

TEST_CASE("No output may be an input, by whatever name, nor two outputs be one") {
  const TmpDir tmp;
  const std::string text = ">a\nACGT\n";
  tmp.write("a.fa", text);
  tmp.write("r.bed", "a\t0\t4\n");
  run_shell("gzip -c a.fa > q.rows.tsv.gz; ln -s a.fa link.fa; cp a.fa other.tsv", tmp.path());
  for (const std::string& command : {
           kEmbed + "a.fa --report a.fa",
           kEmbed + "a.fa -o link.fa --format tsv",
           kEmbed + "-f a.fa -r a -o a.fa --format tsv",
           kEmbed + "-f a.fa -R r.bed -o r.bed --format tsv",
           kEmbed + "q.rows.tsv.gz -o q.npy",
           kEmbed + "- -o other.tsv < other.tsv",
           kEmbed + "other.tsv >> other.tsv",
           kEmbed + "a.fa -o z.npy --report z.npy",
           kEmbed + "a.fa -o - --report -",
       }) {
    INFO(command);
    CHECK(run_shell(command, tmp.path()).exit_code == 2);
  }
  CHECK(read_file(tmp.file("a.fa")) == text);
  CHECK(read_file(tmp.file("other.tsv")) == text);
  CHECK(read_file(tmp.file("r.bed")) == "a\t0\t4\n");
}

TEST_CASE("The report of a run that fails half-way tells how far it came") {
  const TmpDir tmp;
  std::string many;
  for (int i = 0; i < 20000; ++i)
    many += ">r" + std::to_string(i) + "\nACGTACGTACGT\n";
  tmp.write("many.fa", many + ">bad\nAC-GT\n");
  CHECK(run_shell(kEmbed + "many.fa -@ 1 -o x.npy --report r.json", tmp.path()).exit_code == 1);
  const std::string report = read_file(tmp.file("r.json"));
  CHECK(report.find("\"rows_out\": ") != std::string::npos);
  CHECK(report.find("\"config_sha256\": \"\"") == std::string::npos);
}
