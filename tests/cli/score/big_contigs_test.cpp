// SPDX-License-Identifier: MIT
// genomamba score far out on long contigs, and the sum of a whole one.
#include <bigWig.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "genomamba/pipeline/log_likelihood.hpp"
#include "run_app.hpp"
#include "table.hpp"
#include "tmp_dir.hpp"

using genomamba::test::parse_table;
using genomamba::test::read_file;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

std::vector<float> npy_values(const std::string& bytes) {
  std::vector<float> values((bytes.size() - 128) / sizeof(float));
  std::memcpy(values.data(), bytes.data() + 128, values.size() * sizeof(float));
  return values;
}

std::string some_letters(std::size_t n) {
  std::string letters;
  std::uint32_t x = 1;
  for (std::size_t i = 0; i < n; ++i) {
    x = x * 1664525U + 1013904223U;
    letters += "ACGT"[x >> 30U];
  }
  return letters;
}

/// A contig `c` whose file is a hole but for `letters`, which begin at `position` (0-based).
void write_sparse_contig(const TmpDir& tmp, const std::string& letters, std::uint64_t position,
                         std::uint64_t length) {
  std::ofstream fasta(tmp.file("r.fa"), std::ios::binary);
  fasta << ">c\n";
  fasta.seekp(static_cast<std::streamoff>(3 + position));
  fasta << letters;
  fasta.seekp(static_cast<std::streamoff>(3 + length - 1));
  fasta << "A\n";
  fasta.close();
  tmp.write("r.fa.fai", "c\t" + std::to_string(length) + "\t3\t" + std::to_string(length) + "\t" +
                            std::to_string(length + 1) + "\n");
}

std::vector<double> bigwig_values(const std::string& path, std::uint32_t begin, std::uint32_t end) {
  bigWigFile_t* file = bwOpen(path.c_str(), nullptr, "r");
  REQUIRE(file != nullptr);
  bwOverlappingIntervals_t* found = bwGetOverlappingIntervals(file, "c", begin, end);
  REQUIRE(found != nullptr);
  std::vector<double> values;
  for (std::uint32_t i = 0; i < found->l; ++i) {
    CHECK(found->start[i] == begin + i);
    CHECK(found->end[i] == begin + i + 1);
    values.push_back(static_cast<double>(found->value[i]));
  }
  bwDestroyOverlappingIntervals(found);
  bwClose(file);
  return values;
}

}  // namespace

TEST_CASE("Positions past 2^28 and 2^31 are right in every output") {
  constexpr std::size_t kContext = 100;
  constexpr std::size_t kPositions = 20;
  const std::string letters = some_letters(kContext + kPositions);
  const TmpDir small;
  small.write("r.fa", ">c\n" + letters + "\n");
  const std::string options =
      "genomamba score -q -m tiny-random -f r.fa --context 100 --tsv t.tsv --bedgraph t.bedgraph "
      "--bigwig t.bw --npy t.npy ";
  REQUIRE(run_shell(options + "-r c:101-120", small.path()).exit_code == 0);
  const auto expected = parse_table(read_file(small.file("t.tsv")));
  REQUIRE(expected.rows.size() == kPositions);
  for (const std::uint64_t first : {(std::uint64_t{1} << 28U) + 7, (std::uint64_t{1} << 31U) + 7}) {
    const TmpDir tmp;
    write_sparse_contig(tmp, letters, first - kContext, first + 1000);
    const auto result = run_shell(
        options + "-r c:" + std::to_string(first + 1) + "-" + std::to_string(first + kPositions),
        tmp.path());
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(read_file(tmp.file("t.npy")) == read_file(small.file("t.npy")));
    const auto table = parse_table(read_file(tmp.file("t.tsv")));
    CHECK(table.column("logp") == expected.column("logp"));
    std::string track;
    const auto values = bigwig_values(tmp.file("t.bw"), static_cast<std::uint32_t>(first),
                                      static_cast<std::uint32_t>(first + kPositions));
    REQUIRE(table.rows.size() == kPositions);
    REQUIRE(values.size() == kPositions);
    for (std::size_t i = 0; i < kPositions; ++i) {
      const auto& row = table.rows[i];
      CHECK(row.at("start") == std::to_string(first + i));
      CHECK(row.at("ref") == letters.substr(kContext + i, 1));
      CHECK(std::abs(values[i] - std::stod(row.at("logp"))) < 1e-6);
      track += "c\t" + row.at("start") + "\t" + row.at("end") + "\t" + row.at("logp") + "\n";
    }
    const std::string bedgraph = read_file(tmp.file("t.bedgraph"));
    CHECK(bedgraph.substr(bedgraph.find("\nc\t") + 1) == track);
  }
}

TEST_CASE("The positions of a contig sum to the library's log-likelihood of it") {
  const std::string letters = some_letters(5000);
  const TmpDir tmp;
  tmp.write("r.fa", ">c\n" + letters + "\n");
  for (const std::string name : {"tiny-random", "microbe-causal"}) {
    const auto result =
        run_shell("genomamba score -q -f r.fa --context whole --npy t.npy -m " + name, tmp.path());
    REQUIRE(result.exit_code == 0);
    double sum = 0;
    for (const float value : npy_values(read_file(tmp.file("t.npy"))))
      sum += std::isnan(value) ? 0 : static_cast<double>(value);
    const auto model = genomamba::pipeline::load_model(
        std::string(GENOMAMBA_SOURCE_DIR) + "/data/models/" + name, "");
    CHECK(sum == genomamba::pipeline::log_likelihood(model, letters));
  }
}
