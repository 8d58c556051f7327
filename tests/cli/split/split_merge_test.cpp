// SPDX-License-Identifier: MIT
// genomamba split and merge: shards scored one by one and merged are one run over all shard files.
#include <algorithm>
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

std::string random_letters(std::size_t n, unsigned seed) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    seed = seed * 1664525U + 1013904223U;
    text += "ACGT"[seed >> 30];
  }
  return text;
}

void check_run(const std::string& command, const TmpDir& tmp) {
  const auto result = run_shell("set -e\n" + command, tmp.path());
  INFO(command << "\n" << result.err);
  REQUIRE(result.exit_code == 0);
}

/// Writes r.fa and in.bed: unsorted, overlapping, named, with strands, one long region.
void write_inputs(const TmpDir& tmp) {
  tmp.write("r.fa", ">chr2\n" + random_letters(3000, 1) + "\n>chr1\nNNNN" + random_letters(500, 2) +
                        "\n>chr3\nACGT\n");
  tmp.write("in.bed",
            "chr1\t100\t200\tb\nchr2\t0\t2500\nchr1\t150\t300\ta\t0\t-"
            "\nchr1\t0\t10\nchr2\t2400\t2900\tx\nchr3\t1\t1\tz\n");
}

const std::string kScoreShards =
    "for i in 1 2 3 4 5 6 7; do genomamba score -q -m tiny-random -f r.fa -R s/$i-of-7.bed --score "
    "logp,entropy "
    "-o $i.tsv.gz --bedgraph \"$i.{score}.bedgraph.gz\" --npy $i.npy; done\n"
    "genomamba score -q -m tiny-random -f r.fa $(for i in 1 2 3 4 5 6 7; do echo -R s/$i-of-7.bed; "
    "done) "
    "--score logp,entropy -o all.tsv.gz --bedgraph 'all.{score}.bedgraph.gz' --npy all.npy "
    "--bigwig 'all.{score}.bw'\n";

}  // namespace

TEST_CASE("Shards are the sorted regions, balanced by bases, pieces only where asked for") {
  const TmpDir tmp;
  write_inputs(tmp);
  check_run(
      "genomamba split -q -f r.fa -R in.bed -n 3 -o s; cat s/1-of-3.bed s/2-of-3.bed s/3-of-3.bed "
      "| grep -v '^#' > all.bed",
      tmp);
  CHECK(read_file(tmp.file("all.bed")) ==
        "chr2\t0\t2500\nchr2\t2400\t2900\tx\nchr1\t0\t10\nchr1\t100\t200\tb\nchr1\t150\t300\ta\t0\t"
        "-\nchr3\t1\t1\tz\n");
  check_run(
      "genomamba split -q -f r.fa -n 7 --max-piece 300 -o p; cat p/*-of-7.bed | grep -v '^#' | awk "
      "'$3-$2>300' > long.bed; "
      "for i in 1 2 3 4 5 6 7; do grep -v '^#' p/$i-of-7.bed | awk '{n+=$3-$2} END {print n}'; "
      "done > sizes; "
      "genomamba split -q -f r.fa -n 7 --max-piece 300 -o q; diff -r p q",
      tmp);
  CHECK(read_file(tmp.file("long.bed")).empty());
  std::string sizes = read_file(tmp.file("sizes"));
  for (std::size_t at = 0; at < sizes.size(); at = sizes.find('\n', at) + 1) {
    const int n = std::stoi(sizes.substr(at));
    CHECK(n > 200);
    CHECK(n < 800);
  }
  check_run(
      "genomamba split -q -f r.fa -R <(echo) -n 2 -o e; genomamba score -q -m tiny-random -f r.fa "
      "-R e/2-of-2.bed > e.tsv",
      tmp);
  CHECK(parse_table(read_file(tmp.file("e.tsv"))).rows.empty());
}

TEST_CASE("Merged shards are one run over the shard files, byte for byte") {
  const TmpDir tmp;
  write_inputs(tmp);
  const std::string cut = GENERATE(as<std::string>{}, "", "--max-piece 300");
  check_run("genomamba split -q -f r.fa -R in.bed -n 7 " + cut + " -o s\n" + kScoreShards, tmp);
  check_run(
      "genomamba merge -q -o m.tsv.gz --bigwig 'm.{score}.bw' 3.tsv.gz 1.tsv.gz 2.tsv.gz 7.tsv.gz "
      "6.tsv.gz 5.tsv.gz 4.tsv.gz\n"
      "genomamba merge -q -o m.logp.bedgraph.gz --bigwig b.bw [1-7].logp.bedgraph.gz\n"
      "genomamba merge -q -o m.npy [1-7].npy",
      tmp);
  for (const std::string name : {"tsv.gz", "logp.bedgraph.gz", "logp.bedgraph.gz.tbi", "npy",
                                 "rows.tsv.gz", "logp.bw", "entropy.bw"}) {
    INFO(name);
    CHECK(read_file(tmp.file("m." + name)) == read_file(tmp.file("all." + name)));
  }
  CHECK(read_file(tmp.file("b.bw")) == read_file(tmp.file("all.logp.bw")));
}

TEST_CASE("A shard that is missing, doubled or made otherwise is named") {
  const TmpDir tmp;
  write_inputs(tmp);
  check_run(
      "genomamba split -q -f r.fa -R in.bed -n 2 -o s\n"
      "for i in 1 2; do genomamba score -q -m tiny-random -f r.fa -R s/$i-of-2.bed -o $i.tsv --npy "
      "$i.npy; done\n"
      "genomamba score -q -m tiny-random -f r.fa -R s/2-of-2.bed --context 10 -o other.tsv",
      tmp);
  const auto error = [&](const std::string& shards) {
    const auto result = run_shell("genomamba merge -o m." + shards, tmp.path());
    CHECK(result.exit_code != 0);
    return result.err;
  };
  CHECK(error("tsv 1.tsv").find("shard 2-of-2 is missing") != std::string::npos);
  CHECK(error("tsv 1.tsv 2.tsv 2.tsv").find("shard 2-of-2 is there already") != std::string::npos);
  CHECK(error("tsv 1.tsv other.tsv").find("context=10") != std::string::npos);
  CHECK(error("npy 2.npy").find("shard 1-of-2 is missing") != std::string::npos);
  CHECK(error("npy 1.tsv 2.tsv").find("kind") != std::string::npos);
  CHECK(error("tsv 1.tsv nope.tsv").find("nope.tsv") != std::string::npos);
  check_run("! ls m.* 2>/dev/null", tmp);
}

TEST_CASE("Shards without marks are ordered by their rows and may not overlap") {
  const TmpDir tmp;
  write_inputs(tmp);
  check_run(
      "samtools faidx r.fa 2>/dev/null || true\n"
      "for r in chr2:1-50 chr2:51-90 chr1:10-20; do genomamba score -q -m tiny-random -f r.fa -r "
      "$r -o $r.tsv; done\n"
      "genomamba score -q -m tiny-random -f r.fa -r chr2:1-50 -r chr2:51-90 -r chr1:10-20 -o "
      "all.tsv --bigwig all.bw\n"
      "printf "
      "'chr2\\t3000\\t6\\t3000\\t3001\\nchr1\\t504\\t3013\\t504\\t505\\nchr3\\t4\\t3524\\t4\\t5\\n'"
      " > x.fai\n"
      "genomamba merge -q --fai x.fai -o m.tsv --bigwig m.bw chr1:10-20.tsv chr2:51-90.tsv "
      "chr2:1-50.tsv",
      tmp);
  CHECK(read_file(tmp.file("m.tsv")) == read_file(tmp.file("all.tsv")));
  CHECK(read_file(tmp.file("m.bw")) == read_file(tmp.file("all.bw")));
  const auto twice = run_shell("genomamba merge -o - chr2:1-50.tsv chr2:1-50.tsv", tmp.path());
  CHECK(twice.exit_code == 1);
  CHECK(twice.err.find("given twice?") != std::string::npos);
}

TEST_CASE("VCF shards: one header, records in the order of its contigs") {
  const TmpDir tmp;
  const std::string header =
      "##fileformat=VCFv4.2\n##contig=<ID=chr2,length=900>\n##contig=<ID=chr1,length=700>\n"
      "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n";
  const std::string rest = "\t.\tAC\tA\t.\t.\t.\n";
  tmp.write("a.vcf", header + "chr1\t5" + rest);
  tmp.write("b.vcf", header + "chr2\t7" + rest + "chr2\t9" + rest);
  tmp.write("none.vcf", header);
  check_run(
      "genomamba merge -q -o m.vcf a.vcf none.vcf b.vcf; genomamba merge -q -o m.vcf.gz a.vcf "
      "b.vcf",
      tmp);
  CHECK(read_file(tmp.file("m.vcf")) ==
        header + "chr2\t7" + rest + "chr2\t9" + rest + "chr1\t5" + rest);
  const auto entries = tmp.entries();
  CHECK(std::find(entries.begin(), entries.end(), "m.vcf.gz.tbi") != entries.end());
  CHECK(run_shell("genomamba merge -q -o - a.vcf a.vcf", tmp.path()).exit_code == 1);
  tmp.write("c.vcf", "##fileformat=VCFv4.2\n#CHROM\n");
  CHECK(run_shell("genomamba merge -q -o - a.vcf c.vcf", tmp.path()).exit_code == 1);
}
