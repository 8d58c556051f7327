// SPDX-License-Identifier: MIT
// The same reads in every format and compression give the same rows.
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "table.hpp"
#include "tmp_dir.hpp"

using genomamba::test::parse_table;
using genomamba::test::run_app;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

const std::string kFastq = "@r1 first\nACGTACGTAC\n+\nIIIIIIIIII\n@r2\nTTGACA\n+\nIIIIII\n";
const std::string kEmbed = "genomamba embed -q -m tiny-random ";

}  // namespace

TEST_CASE("Plain, gzip of several members, zstd, stdin and a FIFO") {
  const TmpDir tmp;
  tmp.write("r.fq", kFastq);
  const auto expected = run_shell(kEmbed + "r.fq", tmp.path());
  REQUIRE(expected.exit_code == 0);
  CHECK(parse_table(expected.out).column("id") == std::vector<std::string>{"r1", "r2"});
  for (const std::string& way : {
           "gzip -c r.fq > r.fq.gz; " + kEmbed + "r.fq.gz",
           "head -4 r.fq | gzip > m.gz; tail -n +5 r.fq | gzip >> m.gz; " + kEmbed + "m.gz",
           "cat r.fq | " + kEmbed + "-",
           "gzip -c r.fq | " + kEmbed + "-",
           "mkfifo p; (gzip -c r.fq > p &) ; " + kEmbed + "p",
           kEmbed + "<(cat r.fq)",
       }) {
    INFO(way);
    const auto result = run_shell(way, tmp.path());
    CHECK(result.exit_code == 0);
    CHECK(result.out == expected.out);
  }
}

TEST_CASE("FASTA and unaligned SAM of the same reads give the same vectors") {
  const TmpDir tmp;
  const std::string fasta = tmp.write("r.fa", ">r1 first\nACGTA\nCGTAC\n>r2\nTTGACA\n");
  const std::string fastq = tmp.write("r.fq", kFastq);
  const std::string sam = tmp.write("r.sam",
                                    "@HD\tVN:1.6\nr1\t4\t*\t0\t0\t*\t*\t0\t0\tACGTACGTAC\t*"
                                    "\nr2\t4\t*\t0\t0\t*\t*\t0\t0\tTTGACA\t*\n");
  const auto from_fastq = run_app({"genomamba", "embed", "-q", "-m", "tiny-random", fastq});
  CHECK(run_app({"genomamba", "embed", "-q", "-m", "tiny-random", fasta}).out == from_fastq.out);
  const auto from_sam = run_app({"genomamba", "embed", "-q", "-m", "tiny-random", sam});
  CHECK(from_sam.exit_code == 0);
  CHECK(parse_table(from_sam.out).column("e0") == parse_table(from_fastq.out).column("e0"));
}

TEST_CASE(
    "A reverse-strand alignment gives the read as it was sequenced, secondary ones are filtered") {
  const TmpDir tmp;
  const std::string header = "@HD\tVN:1.6\n@SQ\tSN:c\tLN:100\n";
  const std::string sam = tmp.write(
      "r.sam",
      header +
          "r1\t16\tc\t5\t60\t6M\t*\t0\t0\tTGTCAA\t*\nr1\t272\tc\t9\t0\t6M\t*\t0\t0\tTGTCAA\t*\n");
  const std::string fasta = tmp.write("r.fa", ">r1\nTTGACA\n");
  const auto result = run_app({"genomamba", "embed", "-m", "tiny-random", sam});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("1 excluded_flags") != std::string::npos);
  const auto plain = run_app({"genomamba", "embed", "-m", "tiny-random", fasta});
  CHECK(parse_table(result.out).column("e0") == parse_table(plain.out).column("e0"));
}

TEST_CASE("Regions of a reference: one row a region, the bases that the region names") {
  const TmpDir tmp;
  tmp.write("ref.fa", ">c1\nACGTACGTACTTGACA\n>c2\nGGGGCCCC\n");
  tmp.write("regions.bed", "c1\t10\t16\tmine\nc2\t0\t4\n");
  tmp.write("reads.fa", ">a\nTTGACA\n>b\nGGGG\n>c\nACGT\n");
  const auto reads = parse_table(run_shell(kEmbed + "reads.fa", tmp.path()).out);
  const auto bed = parse_table(run_shell(kEmbed + "-f ref.fa -R regions.bed", tmp.path()).out);
  CHECK(bed.column("id") == std::vector<std::string>{"mine", "c2:1-4"});
  CHECK(bed.column("comment") == std::vector<std::string>{"c1", "c2"});
  CHECK(bed.column("start") == std::vector<std::string>{"10", "0"});
  CHECK(bed.column("end") == std::vector<std::string>{"16", "4"});
  CHECK(bed.column("e2")[0] == reads.column("e2")[0]);
  CHECK(bed.column("e2")[1] == reads.column("e2")[1]);
  const auto region = parse_table(run_shell(kEmbed + "-f ref.fa -r c1:1-4", tmp.path()).out);
  CHECK(region.column("e2")[0] == reads.column("e2")[2]);
  for (const std::string wrong : {"-r c1:1-4", "-f ref.fa -r c1:1-4 reads.fa",
                                  "-f ref.fa -r c9:1-4", "-f ref.fa -r c1:1-99"}) {
    INFO(wrong);
    CHECK(run_shell(kEmbed + wrong, tmp.path()).exit_code != 0);
  }
  CHECK(tmp.entries() == std::vector<std::string>{"reads.fa", "ref.fa", "regions.bed"});
}
