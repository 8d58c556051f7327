// SPDX-License-Identifier: MIT
// genomamba score: what is written, and that every output holds the same numbers.
#include <cmath>
#include <cstring>
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

using Names = std::vector<std::string>;
const std::string kScore = "genomamba score -q -m tiny-random -f r.fa ";
const std::string kFasta = ">chr1 one\nACGTACGTTAGC\nNNNNACGTACGA\nTTA\n>chr2\nggattaca\n";

std::vector<float> npy_values(const std::string& bytes) {
  std::vector<float> values((bytes.size() - 128) / sizeof(float));
  std::memcpy(values.data(), bytes.data() + 128, values.size() * sizeof(float));
  return values;
}

}  // namespace

TEST_CASE("TSV: provenance, the columns of the contract, every position of a region") {
  const TmpDir tmp;
  tmp.write("r.fa", kFasta);
  const auto result = run_shell(kScore + "-r chr1:3-14 --score logp,entropy,probs", tmp.path());
  REQUIRE(result.exit_code == 0);
  const auto table = parse_table(result.out);
  REQUIRE(table.provenance.size() == 3);
  CHECK(table.provenance[2].rfind("options=score=logp,entropy,probs method=causal", 0) == 0);
  CHECK(table.columns == Names{"contig", "start", "end", "ref", "region", "logp", "entropy", "p_A",
                               "p_C", "p_G", "p_T"});
  REQUIRE(table.rows.size() == 12);
  std::string letters;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    letters += row.at("ref");
    CHECK(row.at("start") == std::to_string(i + 2));
    CHECK(row.at("end") == std::to_string(i + 3));
    CHECK(row.at("region") == "chr1:3-14");
    const double sum = std::stod(row.at("p_A")) + std::stod(row.at("p_C")) +
                       std::stod(row.at("p_G")) + std::stod(row.at("p_T"));
    CHECK(std::abs(sum - 1) < 0.001);
    CHECK((row.at("logp") == ".") == (row.at("ref") == "N"));
  }
  CHECK(letters == "GTACGTTAGCNN");
  CHECK(parse_table(run_shell(kScore + "-r chr2 --no-version", tmp.path()).out).provenance.empty());
}

TEST_CASE("All outputs of one run hold the same numbers, N and a first base are gaps") {
  const TmpDir tmp;
  tmp.write("r.fa", kFasta);
  const auto result =
      run_shell(kScore +
                    "--tsv t.tsv.gz --bedgraph t.bedgraph.gz --bigwig t.bw --npy t.npy && gzip -dc "
                    "t.tsv.gz > t.tsv && "
                    "gzip -dc t.bedgraph.gz > t.bedgraph && gzip -dc t.rows.tsv.gz > rows.tsv",
                tmp.path());
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(tmp.entries() == Names{"r.fa", "rows.tsv", "t.bedgraph", "t.bedgraph.gz",
                               "t.bedgraph.gz.tbi", "t.bw", "t.npy", "t.rows.tsv.gz", "t.tsv",
                               "t.tsv.gz", "t.tsv.gz.tbi"});
  const auto table = parse_table(read_file(tmp.file("t.tsv")));
  const auto values = npy_values(read_file(tmp.file("t.npy")));
  REQUIRE(table.rows.size() == 35);
  REQUIRE(values.size() == 35);
  std::string track;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& row = table.rows[i];
    CHECK((row.at("logp") == ".") == std::isnan(values[i]));
    if (row.at("logp") == ".") continue;
    CHECK(std::abs(std::stod(row.at("logp")) - static_cast<double>(values[i])) < 0.00006);
    track += row.at("contig") + "\t" + row.at("start") + "\t" + row.at("end") + "\t" +
             row.at("logp") + "\n";
  }
  const std::string bedgraph = read_file(tmp.file("t.bedgraph"));
  CHECK(bedgraph.substr(bedgraph.find("\nchr1") + 1) == track);
  CHECK(bedgraph.rfind("##genomamba=", 0) == 0);
  const auto rows = parse_table(read_file(tmp.file("rows.tsv")));
  CHECK(rows.columns == Names{"row", "contig", "start", "end", "region", "offset", "n_positions"});
  CHECK(rows.column("offset") == Names{"0", "27"});
  // The first four bytes of a bigWig, whatever the machine that reads it.
  CHECK(read_file(tmp.file("t.bw")).substr(0, 4) == "\x26\xfc\x8f\x88");
}

TEST_CASE("Tables keep the order asked for, tracks are sorted and show each position once") {
  const TmpDir tmp;
  tmp.write("r.fa", kFasta);
  tmp.write("r.bed", "chr2\t2\t6\tb\nchr1\t4\t9\ta\nchr1\t6\t11\n");
  const auto result = run_shell(
      "genomamba score -m tiny-random -f r.fa -R r.bed -o t.tsv --bedgraph t.bedgraph", tmp.path());
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.find("not sorted") != std::string::npos);
  CHECK(result.err.find("overlap") != std::string::npos);
  const auto table = parse_table(read_file(tmp.file("t.tsv")));
  CHECK(table.column("start") ==
        Names{"2", "3", "4", "5", "4", "5", "6", "7", "8", "6", "7", "8", "9", "10"});
  CHECK(table.rows[0].at("region") == "b");
  CHECK(table.rows[13].at("region") == "chr1:7-11");
  const std::string track = read_file(tmp.file("t.bedgraph"));
  std::string places;
  for (std::size_t at = track.find("\nchr"); at != std::string::npos;
       at = track.find("\nchr", at + 1)) {
    const std::size_t end = track.find('\t', at + 6);
    places += track.substr(at + 4, end - at - 4) + " ";
  }
  CHECK(places == "1\t4 1\t5 1\t6 1\t7 1\t8 1\t9 1\t10 2\t2 2\t3 2\t4 2\t5 ");
}

TEST_CASE("Several scores need {score} in a track's name") {
  const TmpDir tmp;
  tmp.write("r.fa", kFasta);
  const auto bad = run_shell(kScore + "--score logp,probs --bedgraph t.bedgraph", tmp.path());
  CHECK(bad.exit_code == 2);
  CHECK(bad.err.find("{score}") != std::string::npos);
  CHECK(tmp.entries() == Names{"r.fa"});
  REQUIRE(run_shell(kScore + "--score logp,probs --bedgraph 't.{score}.bedgraph'", tmp.path())
              .exit_code == 0);
  CHECK(tmp.entries() == Names{"r.fa", "t.logp.bedgraph", "t.p_A.bedgraph", "t.p_C.bedgraph",
                               "t.p_G.bedgraph", "t.p_T.bedgraph"});
}

TEST_CASE("The same bytes for any number of threads") {
  const TmpDir tmp;
  std::string fasta = ">a\n";
  for (int i = 0; i < 9000; ++i)
    fasta += "ACGT"[(i * i / 7 + i) % 4];
  tmp.write("r.fa", fasta + "\n>b\nACGATCGATCAGCTACGACG\n");
  const std::string outputs =
      " --score logp,entropy --strand mean -o t%.tsv.gz --npy t%.npy --bigwig 't%.{score}.bw'";
  for (const std::string n : {"1", "2"}) {
    std::string command = kScore + "-t " + n + outputs;
    for (std::size_t at; (at = command.find('%')) != std::string::npos;)
      command.replace(at, 1, n);
    REQUIRE(run_shell(command, tmp.path()).exit_code == 0);
  }
  for (const std::string name :
       {"t%.tsv.gz", "t%.tsv.gz.tbi", "t%.npy", "t%.rows.tsv.gz", "t%.logp.bw"}) {
    std::string one = name;
    std::string two = name;
    one.replace(1, 1, "1");
    two.replace(1, 1, "2");
    INFO(name);
    CHECK(read_file(tmp.file(one)) == read_file(tmp.file(two)));
  }
}

TEST_CASE("No output is made when something is wrong, none over an input, no empty success") {
  const TmpDir tmp;
  tmp.write("r.fa", kFasta);
  const auto over = run_shell(kScore + "-o r.fa", tmp.path());
  CHECK(over.exit_code == 2);
  CHECK(read_file(tmp.file("r.fa")) == kFasta);
  CHECK(run_shell(kScore + "-o t.csv", tmp.path()).exit_code == 2);
  CHECK(run_shell(kScore + "-o t.tsv --bigwig no/such/t.bw", tmp.path()).exit_code == 1);
  CHECK(run_shell(kScore + "--bigwig /dev/null", tmp.path()).exit_code == 2);
  tmp.write("bad.fa", ">a\nACGT-ACGT\n");
  const auto gap =
      run_shell("genomamba score -q -m tiny-random -f bad.fa -o t.tsv --bigwig t.bw", tmp.path());
  CHECK(gap.exit_code == 1);
  CHECK(gap.err.find("bad.fa: contig a: '-' at base 5") != std::string::npos);
  CHECK(tmp.entries() == Names{"bad.fa", "r.fa"});
  const auto full =
      run_shell("ulimit -f 1; " + kScore + "--bigwig t.bw --score logp; echo $?; ls", tmp.path());
  CHECK(full.out.find(".tmp") == std::string::npos);
  tmp.write("empty.bed", "");
  const auto none = run_shell("genomamba score -m tiny-random -f r.fa -R empty.bed", tmp.path());
  CHECK(none.exit_code == 0);
  CHECK(none.err.find("no position") != std::string::npos);
  CHECK(parse_table(none.out).rows.empty());
}
