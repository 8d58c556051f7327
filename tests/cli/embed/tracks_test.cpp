// SPDX-License-Identifier: MIT
// Six-track models (Orthrus): --tracks gives what the authors' code gives, and is asked for by
// name.
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "genomamba/checkpoint/tensor_source.hpp"
#include "run_app.hpp"
#include "table.hpp"
#include "tmp_dir.hpp"

using namespace genomamba;  // NOLINT(google-build-using-namespace)
using genomamba::test::parse_table;
using genomamba::test::read_file;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

const std::string kGolden = std::string(GENOMAMBA_SOURCE_DIR) + "/tests/golden/data/";
const std::string kSix = "genomamba embed -q -m " + kGolden + "orthrus-6-track ";

/// The transcript of the golden folder: 90 bases, three exons, a coding sequence of 15 codons.
const std::string kTracks = "transcript\t12\t57\t30,41,90\n";

std::string golden_fasta(const checkpoint::TensorSource& golden) {
  constexpr std::int64_t kFirstBase = 7;
  std::string text = ">transcript of the golden folder\n";
  for (const std::int64_t id : checkpoint::to_int64(*golden.find("transcript.input_ids")))
    text += std::string("ACGTN")[static_cast<std::size_t>(id - kFirstBase)];
  return text + "\n";
}

}  // namespace

TEST_CASE("Option --tracks gives what the authors' code gives") {
  const TmpDir tmp;
  const auto golden =
      checkpoint::open_safetensors(kGolden + "orthrus-6-track/expected.safetensors");
  const auto expected = checkpoint::to_float(*golden->find("transcript.last_hidden_state"));
  tmp.write("t.fa", golden_fasta(*golden));
  tmp.write("t.tsv", "# id\tcds_start\tcds_end\texon_ends\nother\t.\t.\t.\n" + kTracks);
  for (const std::string more : {"", "--batch-tokens 16", "--window 60 --batch-tokens 1000"}) {
    const auto result = run_shell(kSix + "--pool none --tracks t.tsv t.fa " + more, tmp.path());
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto table = parse_table(result.out);
    const bool is_cut = more.find("--window") != std::string::npos;
    const std::size_t n_same = is_cut ? 60 : 90;  // a window starts from an empty state
    REQUIRE(table.rows.size() == 90);
    float largest = 0;
    for (std::size_t i = 0; i < n_same; ++i) {
      for (std::size_t c = 0; c < 32; ++c) {
        const float value = std::stof(table.rows[i].at("e" + std::to_string(c)));
        largest = std::max(largest, std::abs(value - expected.data()[i * 32 + c]));
      }
    }
    CHECK(largest <= 1e-4F);
  }
}

TEST_CASE("The hash of --tracks is a result-changing option, the file an input of the report") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a\nACGTAC\n");
  tmp.write("plain.tsv", "a\t.\t.\t.\n");
  tmp.write("cds.tsv", "a\t0\t6\t6\n");
  const auto plain = run_shell(kSix + "--tracks plain.tsv a.fa --report r.json", tmp.path());
  const auto coding = run_shell(kSix + "--tracks cds.tsv a.fa", tmp.path());
  REQUIRE(plain.exit_code == 0);
  REQUIRE(coding.exit_code == 0);
  const auto a = parse_table(plain.out);
  const auto b = parse_table(coding.out);
  CHECK(a.provenance.at(2).find(" tracks=sha256:") != std::string::npos);
  CHECK(a.provenance.at(2) != b.provenance.at(2));
  CHECK(a.column("e0") != b.column("e0"));
  CHECK(read_file(tmp.file("r.json")).find("\"path\": \"plain.tsv\"") != std::string::npos);
  const auto overwritten = run_shell(kSix + "--tracks cds.tsv a.fa -o cds.tsv", tmp.path());
  CHECK(overwritten.exit_code == 2);
}

TEST_CASE("A six-track model asks for --tracks, any other refuses it") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a\nACGTAC\n");
  tmp.write("t.tsv", "a\t0\t6\t6\n");
  const std::string four = "genomamba embed -q -m " + kGolden + "orthrus-4-track ";
  for (const std::string& command : std::vector<std::string>{
           kSix + "a.fa",
           kSix + "no-such-file.fa --dry-run",
           four + "--tracks t.tsv a.fa",
           "genomamba embed -q -m tiny-random --tracks t.tsv a.fa",
           kSix + "--tracks t.tsv --strand reverse a.fa",
           kSix + "--tracks t.tsv --strand mean a.fa",
           kSix + "--tracks t.tsv --pairs a.fa a.fa",
           kSix + "--tracks t.tsv --interleaved a.fa",
           kSix + "--tracks - - < t.tsv",
       }) {
    const auto result = run_shell(command, tmp.path());
    INFO(command + "\n" + result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("--tracks") != std::string::npos);
    CHECK(result.out.empty());
  }
  CHECK(run_shell(four + "a.fa", tmp.path()).exit_code == 0);
}

TEST_CASE("A record that --tracks does not describe is an error that names file and record") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a\nACGTAC\n>b\nACG\n");
  for (const auto& [line, reason] : std::vector<std::pair<std::string, std::string>>{
           {"c\t0\t3\t3\n", "has no line in t.tsv"},
           {"b\t0\t4\t3\n", "cds_end 4 of its line in t.tsv lies past its 3 bases"},
           {"b\t0\t3\t2,5\n", "exon end 5 of its line in t.tsv lies past its 3 bases"},
       }) {
    tmp.write("t.tsv", "a\t0\t6\t6\n" + line);
    const auto result = run_shell(kSix + "--tracks t.tsv a.fa -o x.npy", tmp.path());
    CHECK(result.exit_code == 1);
    CHECK(result.err == "genomamba-embed: error: a.fa: record 2 (b): " + reason + "\n");
    CHECK(tmp.entries() == std::vector<std::string>{"a.fa", "t.tsv"});
  }
  tmp.write("t.tsv", "a\t0\t6\n");
  const auto malformed = run_shell(kSix + "--tracks t.tsv a.fa", tmp.path());
  CHECK(malformed.exit_code == 1);
  CHECK(malformed.err.find("genomamba-embed: error: t.tsv: line 1: 3 columns") == 0);
  // A record that is filtered needs no line.
  tmp.write("t.tsv", "a\t0\t6\t6\n");
  CHECK(run_shell(kSix + "--tracks t.tsv a.fa --min-length 4", tmp.path()).exit_code == 0);
}

TEST_CASE("Option --clip shortens regions that reach past their contig's end") {
  const TmpDir tmp;
  tmp.write("ref.fa", ">c\nACGTACGTAC\n");
  tmp.write("r.bed", "c\t4\t30\tlong\n");
  const std::string embed = "genomamba embed -m tiny-random -f ref.fa -r c:3-20 -R r.bed ";
  const auto refused = run_shell(embed, tmp.path());
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("--clip shortens it") != std::string::npos);
  const auto clipped = run_shell(embed + "--clip", tmp.path());
  INFO(clipped.err);
  REQUIRE(clipped.exit_code == 0);
  const auto table = parse_table(clipped.out);
  CHECK(table.column("id") == std::vector<std::string>{"c:3-10", "long"});
  CHECK(table.column("start") == std::vector<std::string>{"2", "4"});
  CHECK(table.column("end") == std::vector<std::string>{"10", "10"});
  CHECK(table.provenance.at(2).find("clip=yes") != std::string::npos);
  const auto exact =
      run_shell("genomamba embed -q -m tiny-random -f ref.fa -r c:3-10 -r c:5-10", tmp.path());
  CHECK(parse_table(exact.out).column("e3") == table.column("e3"));
}
