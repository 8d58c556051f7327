// SPDX-License-Identifier: MIT
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

genomamba::test::AppResult embed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"genomamba", "embed", "-m", "tiny-random"});
  return run_app(arguments);
}

}  // namespace

TEST_CASE("Usage errors end with status 2 and one line that says what is wanted") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGT\n");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {},
           {fasta, "--threads", "0"},
           {fasta, "--threads", "-1"},
           {fasta, "--threads", "two"},
           {fasta, "--pool", "median"},
           {fasta, "--layer", "2"},
           {fasta, "--layer", "first"},
           {fasta, "--strand", "both"},
           {fasta, "--isa", "sse9"},
           {fasta, "--memory", "lots"},
           {fasta, "--memory", "1M"},
           {fasta, "--overlap", "3"},
           {fasta, "--min-length", "-1"},
           {fasta, "--window", "99999999999999999999"},
           {fasta, "-o", tmp.file("x.csv")},
           {fasta, "--format", "npy"},
           {fasta, "--pairs"},
           {fasta, fasta, "--pairs", "--interleaved"},
           {fasta, "--no-such-option"},
           {"-", "-"},
           {fasta, "-o", fasta, "--format", "tsv"},
       }) {
    const auto result = embed(arguments);
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find("genomamba-embed: error: ") == 0);
    CHECK(result.err.find('\n') == result.err.size() - 1);
  }
  CHECK(read_file(fasta) == ">a\nACGT\n");
}

TEST_CASE("More threads than the machine has are capped, however many digits") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGT\n");
  for (const std::string threads : {"100000", "99999999999999999999"}) {
    const auto result = embed({fasta, "--threads", threads});
    INFO(result.err);
    CHECK(result.exit_code == 0);
    CHECK(result.err.find("--threads " + threads + ": this process may use") != std::string::npos);
  }
}

TEST_CASE("A model that is not there is a usage error, a broken one a data error") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGT\n");
  CHECK(run_app({"genomamba", "embed", "-m", "no-such-model", fasta}).exit_code == 2);
  const auto empty = run_app({"genomamba", "embed", "-m", tmp.path(), fasta});
  CHECK(empty.exit_code == 1);
  CHECK(empty.err.find("config.json") != std::string::npos);
}

TEST_CASE("More threads than cores are capped with a warning") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGT\n");
  const auto result = embed({fasta, "-@", "100000"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("warning: --threads 100000") != std::string::npos);
}

TEST_CASE("The forced kernels are the ones that run") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGT\n");
  for (const std::string isa : {"ref", "baseline"}) {
    CHECK(embed({fasta, "--isa", isa}).err.find(isa + " kernels") != std::string::npos);
    const auto by_environment =
        run_shell("GENOMAMBA_ISA=" + isa + " genomamba embed -m tiny-random " + fasta);
    CHECK(by_environment.err.find(isa + " kernels") != std::string::npos);
  }
}

TEST_CASE("A word in GENOMAMBA_ISA that names no kernels is a usage error") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGT\n");
  CHECK(run_shell("GENOMAMBA_ISA=sse9 genomamba embed -m tiny-random " + fasta).exit_code == 2);
}

TEST_CASE("The model may come from GENOMAMBA_MODEL, and a weight file stands for its directory") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGTAC\n");
  const auto expected = run_app({"genomamba", "embed", "-m", "tiny-random", fasta});
  const auto by_variable = run_shell("GENOMAMBA_MODEL=tiny-random genomamba embed " + fasta);
  CHECK(by_variable.out == expected.out);
  const std::string file =
      std::string(GENOMAMBA_SOURCE_DIR) + "/data/models/tiny-random/model.safetensors";
  CHECK(parse_table(run_app({"genomamba", "embed", "-m", file, fasta}).out).column("e3") ==
        parse_table(expected.out).column("e3"));
}

TEST_CASE("Option --pool none gives a row a token, --rows window a row a window") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGTACGTAC\n>b\nACG\n>c\n");
  const auto tokens = parse_table(embed({fasta, "--pool", "none"}).out);
  CHECK(tokens.rows.size() == 10 + 3 + 1);
  CHECK(tokens.rows[10].at("id") == "b");
  CHECK(tokens.rows[10].at("offset") == "10");
  CHECK(tokens.rows[13].at("status") == "empty");
  const auto windows = parse_table(embed({fasta, "--rows", "window", "--window", "4"}).out);
  CHECK(windows.column("start") == std::vector<std::string>{"0", "4", "6", "0", "0"});
  CHECK(windows.column("end") == std::vector<std::string>{"4", "8", "10", "3", "0"});
}

TEST_CASE("Option --dry-run writes nothing and says what would be done") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGT\n");
  const auto result = embed({fasta, "--dry-run", "-o", tmp.file("x.npy")});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("dry run: 1 inputs, vectors of 8 numbers") != std::string::npos);
  CHECK(tmp.entries() == std::vector<std::string>{"a.fa"});
}

TEST_CASE("Option --strict fails when a record was filtered") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("a.fa", ">a\nACGT\n>b\nAC\n");
  CHECK(embed({fasta, "--strict"}).exit_code == 0);
  CHECK(embed({fasta, "--strict", "--min-length", "3"}).exit_code == 1);
}
