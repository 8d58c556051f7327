// SPDX-License-Identifier: MIT
// Every file of data/sequences and data/alignments is what data/README.md says.
#include <string>

#include "catch.hpp"
#include "error_text.hpp"
#include "make_files.hpp"
#include "read_all.hpp"
#include "tmp_dir.hpp"

namespace genomamba::io {
namespace {

using test::contains;
using test::error_text;
using test::read_all;
using test::to_text;

std::string data_file(const std::string& name) {
  return GENOMAMBA_SOURCE_DIR "/data/" + name;
}

std::size_t count_bases(const test::ReadResult& result) {
  std::size_t n = 0;
  for (const SequenceRecord& record : result.records)
    n += record.sequence.size();
  return n;
}

TEST_CASE("data: phage lambda is NC_001416.1, base for base") {
  const auto result = read_all(data_file("sequences/lambda.fa.gz"));
  REQUIRE(result.records.size() == 1);
  CHECK(result.records[0].id == "NC_001416.1");
  CHECK(result.records[0].comment == "Enterobacteria phage lambda, complete genome");
  CHECK(test::md5_of(result.records[0].sequence) == "509bdb356475a21077713babc47a4a35");
}

TEST_CASE("data: real reads") {
  const auto first = read_all(data_file("sequences/ecoli_illumina_1.fastq.gz"));
  const auto second = read_all(data_file("sequences/ecoli_illumina_2.fastq.gz"));
  CHECK(first.format == "FASTQ");
  REQUIRE(first.records.size() == 247);
  REQUIRE(second.records.size() == 247);
  CHECK(count_bases(first) == 24700);
  for (std::size_t i = 0; i < first.records.size(); ++i) {
    std::string mate = first.records[i].id;
    mate.back() = '2';
    if (second.records[i].id != mate) FAIL(mate);
  }
  const auto nanopore = read_all(data_file("sequences/klebsiella_nanopore.fastq.gz"));
  CHECK(nanopore.records.size() == 36);
  CHECK(count_bases(nanopore) == 198676);
  CHECK(nanopore.records[0].id.starts_with("SRR5665597."));
}

TEST_CASE("data: one FASTA in every dress") {
  const std::string want = to_text(read_all(data_file("sequences/normal.fa")));
  CHECK(want.starts_with("lambda:1-300  GGGCGGCGACCTCGCGGG"));
  for (const char* name :
       {"normal.fa.gz", "two_members.fa.gz", "normal.bgzf.fa.gz", "normal.fa.zst", "crlf.fa"}) {
    INFO(name);
    CHECK(to_text(read_all(data_file(std::string("sequences/") + name))) == want);
  }
  for (const char* name : {"lower_case.fa", "rna.fa"}) {
    const auto result = read_all(data_file(std::string("sequences/") + name));
    CHECK(result.records.size() == 3);
    CHECK(count_bases(result) == 410);
    CHECK(to_text(result) != want);
  }
  CHECK(count_bases(read_all(data_file("sequences/n_rich.fa"))) == 460);
  CHECK(contains(to_text(read_all(data_file("sequences/iupac.fa"))), "RYSWKMBDHV"));
  CHECK(read_all(data_file("sequences/no_bases.fa")).records.at(1).sequence.empty());
  CHECK(read_all(data_file("sequences/empty.fa")).records.empty());
  CHECK(read_all(data_file("sequences/empty.fa.gz")).records.empty());
  CHECK(read_all(data_file("sequences/normal.fastq")).records.size() == 4);
}

TEST_CASE("data: damaged and wrong files") {
  const auto error_of = [](const std::string& name, const std::string& reference = {}) {
    OpenOptions options;
    options.reference_path = reference;
    return error_text([&] { read_all(data_file(name), options); });
  };
  CHECK(contains(error_of("sequences/truncated.fastq"), "record 4 (EAS20_8_6_1_"));
  CHECK(contains(error_of("sequences/truncated.fastq.gz"), "truncated gzip data"));
  CHECK(contains(error_of("sequences/wrong_format.bed"), "line 1: no FASTA or FASTQ record"));
  CHECK(contains(error_of("alignments/truncated.bam"), "truncated.bam"));
  CHECK(contains(error_of("alignments/truncated.cram", data_file("alignments/lambda_2kb.fa")),
                 "truncated.cram"));
  CHECK(contains(error_of("alignments/simulated.cram"), "the reference of lambda_2kb"));
}

TEST_CASE("data: SAM, BAM and CRAM hold the same reads") {
  const auto sam = read_all(data_file("alignments/simulated.sam"));
  REQUIRE(sam.records.size() == 47);
  const std::string want = to_text(sam);
  CHECK(contains(want, "pair0/1  "));
  CHECK(contains(want, "|no_bases  "));
  CHECK(to_text(read_all(data_file("alignments/simulated.bam"))) == want);
  OpenOptions options;
  options.reference_path = data_file("alignments/lambda_2kb.fa");
  CHECK(to_text(read_all(data_file("alignments/simulated.cram"), options)) == want);
  CHECK(read_all(data_file("alignments/empty.bam")).records.empty());
}

TEST_CASE("data: Nanopore alignments give the reads as they were sequenced") {
  const auto bam = read_all(data_file("alignments/nanopore.bam"));
  CHECK(bam.format == "BAM");
  constexpr int kNotPrimary = 2304;
  std::size_t n_primary = 0;
  for (const SequenceRecord& record : bam.records)
    n_primary += (record.flags & kNotPrimary) == 0;
  CHECK(n_primary == 4);
}

}  // namespace
}  // namespace genomamba::io
