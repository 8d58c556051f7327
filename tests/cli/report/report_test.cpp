// SPDX-License-Identifier: MIT
// genomamba report: a page from what the other apps wrote, and what it refuses.
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "tmp_dir.hpp"

using genomamba::test::AppResult;
using genomamba::test::read_file;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

const std::string kFasta = ">c one\nACGTACGTTAGCACGTNCGAACGTACGTTAGCACGTACGATTA\n>d\nGGATTACA\n";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

/// Runs the command and returns the page r.html that it made.
std::string page_of(const std::string& command, const TmpDir& tmp) {
  const AppResult result = run_shell("set -e\n" + command, tmp.path());
  INFO(command << "\n" << result.err);
  REQUIRE(result.exit_code == 0);
  return read_file(tmp.file("r.html"));
}

std::string vcf(const std::string& records) {
  return "##fileformat=VCFv4.2\n##genomamba=0.1.0\n##model=m sha256:1\n"
         "##contig=<ID=c,length=44>\n"
         "##INFO=<ID=GM_LLR,Number=A,Type=Float,Description=\"ln P(alt) - ln P(ref)\">\n"
         "##INFO=<ID=GM_SKIP,Number=A,Type=String,Description=\"why there is none\">\n"
         "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n" +
         records;
}

/// Two groups of vectors, far from one another; `n_nan` rows of NaN at the end.
void write_embedding(const TmpDir& tmp, const std::vector<std::string>& ids, std::size_t n_nan) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(ids.size()) + ", 2), }";
  header.resize(117, ' ');
  header += '\n';
  std::string bytes = std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) +
                      std::string(1, '\0') + header;
  std::string rows = "##genomamba=0.1.0\n#row\tid\tlength\n";
  for (std::size_t i = 0; i < ids.size(); ++i) {
    float values[] = {static_cast<float>(i % 2) * 10, static_cast<float>(i) * 0.1F};
    if (i + n_nan >= ids.size()) values[0] = std::numeric_limits<float>::quiet_NaN();
    bytes.append(reinterpret_cast<const char*>(values), sizeof values);
    rows += std::to_string(i) + "\t" + ids[i] + "\t" + std::to_string(100 + i) + "\n";
  }
  tmp.write("e.npy", bytes);
  tmp.write("e.rows.tsv", rows);
  run_shell("gzip -f e.rows.tsv", tmp.path());
}

}  // namespace

TEST_CASE("A page from all kinds of outputs of the other apps") {
  const TmpDir tmp;
  tmp.write("r.fa", kFasta);
  tmp.write("v.vcf", vcf("c\t5\trs1\tA\tG\t.\t.\tGM_LLR=-2.5\n"
                         "c\t9\t.\tT\tTA,<DEL>\t.\t.\tGM_LLR=0.5,.;GM_SKIP=.,symbolic\n"
                         "c\t12\t.\tC\t.\t.\t.\tGM_SKIP=no_alt\n"));
  const std::string page = page_of(
      "genomamba embed -q -m tiny-random r.fa -o e.npy --report e.json\n"
      "genomamba score -q -m tiny-random -f r.fa --score logp,entropy,probs -o s.tsv.gz\n"
      "genomamba score -q -m tiny-random -f r.fa --bedgraph s.logp.bedgraph --bigwig s.logp.bw\n"
      "genomamba report -q -o r.html --svg figures -f r.fa e.npy e.rows.tsv.gz s.tsv.gz "
      "s.logp.bedgraph s.logp.bw v.vcf e.json",
      tmp);
  CHECK(count(page, "<section ") == 6);
  for (const char* heading : {"Embedding: e.npy", "Scores: s.tsv.gz", "Scores: s.logp.bedgraph",
                              "Scores: s.logp.bw", "Variants: v.vcf", ">Runs<"})
    CHECK(has(page, heading));
  CHECK(has(page, "tiny-random"));
  CHECK(has(page, "track type=bigWig name=&quot;s.logp.bw&quot;"));
  CHECK(has(page, "&lt;Resource path=&quot;s.logp.bw&quot;/&gt;"));
  // TSV: 2 regions of logp and entropy; the tracks: 2 regions each. All have their letters.
  CHECK(count(page, "<figure class=\"track\"") == 8);
  // The first base of a contig has no value, so a track begins at the second.
  CHECK(count(page, "data-letters=\"ACGTACGTTAGCACGTNCGA") == 2);
  CHECK(count(page, "data-letters=\"CGTACGTTAGCACGTNCGA") == 2);
  CHECK(has(page, "http://localhost:60151/goto?locus=c%3A5"));
  CHECK(has(page, "data-locus=\"c:5-5\""));
  CHECK(has(page, "<td>no_alt</td>"));
  CHECK(has(page, "<td>symbolic</td>"));
  CHECK(has(page, "<td class=\"r\">-2.5000</td>"));
  // Nothing from elsewhere: the only addresses are those of links to a local IGV.
  CHECK(count(page, "src=") == 0);
  CHECK(count(page, "http") == count(page, "http://localhost:60151/") + count(page, "http-equiv") +
                                   count(page, "http://www.w3.org/2000/svg"));
  CHECK(page.size() < 200000);
  const AppResult figures = run_shell("ls figures; cat figures/*.svg", tmp.path());
  CHECK(count(figures.out, "<?xml") == count(figures.out, ".svg\n"));
  CHECK(count(figures.out, "<?xml") == 11);  // scatter, components, 8 tracks, histogram
}

TEST_CASE("The same inputs give the same bytes, and parse as XML where they are SVG") {
  const TmpDir tmp;
  write_embedding(tmp, {"a", "b", "c", "d", "e"}, 0);
  const std::string command = "genomamba report -q -o r.html --svg s e.npy";
  const std::string first = page_of(command, tmp);
  CHECK(page_of(command, tmp) == first);
  CHECK(run_shell("python3 -c 'import glob, xml.dom.minidom as m; "
                  "print(len([m.parse(f) for f in glob.glob(\"s/*.svg\")]))'",
                  tmp.path())
            .out == "2\n");
}

TEST_CASE("Names of records and files stay text, however they are written") {
  const TmpDir tmp;
  const std::string evil = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";
  write_embedding(tmp, {evil, "b", std::string(5000, 'x'), "d", "e"}, 0);
  tmp.write("l.tsv", "id\tspe<b>cies\n" + evil + "\t</svg><script>x()</script>\nb\t\"><i>\n");
  tmp.write("v.vcf", vcf("c\t5\t<u>x\tA\tG\t.\t.\tGM_LLR=-2.5\n"
                         "c\t6\t.\tA\t<u>\t.\t.\tGM_SKIP=<u>x\n"));
  const std::string page = page_of(
      "mv v.vcf '<u>v.vcf'; genomamba report -q -o r.html --svg s --title '</title><u>' "
      "--labels l.tsv e.npy '<u>v.vcf'",
      tmp);
  CHECK(count(page, "<script") == 1);
  CHECK(count(page, "</script>") == 1);
  for (const char* part : {"<img", "<u>", "<i>", "<b>", "onerror=alert(2)>"})
    CHECK_FALSE(has(page, part));
  CHECK(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK_FALSE(has(page, std::string(200, 'x')));
  CHECK(run_shell("grep -l '<script' s/*.svg", tmp.path()).out.empty());
  CHECK(has(page, "script-src 'sha256-"));
}

TEST_CASE("Labels colour the scatter, and their purity is a number") {
  const TmpDir tmp;
  write_embedding(tmp, {"a", "b", "c", "d", "e", "f"}, 1);
  tmp.write("l.tsv", "id\tspecies\tn\na\tx\t1\nb\ty\t2\nc\tx\t3\nd\ty\t4\ne\tx\t5\nzz\tq\t6\n");
  const std::string page = page_of("genomamba report -q -o r.html --labels l.tsv e.npy", tmp);
  CHECK(has(page, "coloured by species"));
  CHECK(has(page, "coloured by length"));
  CHECK(has(page, "Nearest-neighbour purity of species: 1.000 (by chance 0.400)"));
  CHECK(has(page, "all 5 vectors were compared"));
  CHECK(has(page, "1: not a number"));
  CHECK(has(page, "1 records have none; 1 lines fit no record"));
  const std::string by_n =
      page_of("genomamba report -q -o r.html --labels l.tsv --color-by n --second none e.npy", tmp);
  CHECK(has(by_n, "coloured by n<"));
  CHECK_FALSE(has(by_n, "coloured by length"));
  tmp.write("r.fa", ">a\nGGGG\n>b\nACNN\n>c\nAT\n>d\nGG\n>e\nCA\n>f\n");
  const std::string gc = page_of("genomamba report -q -o r.html --sequences r.fa e.npy", tmp);
  CHECK(has(gc, "coloured by gc"));
  CHECK(has(gc, "1.000 (2)"));
}

TEST_CASE("Chosen regions alone are shown, in positions that count from 1") {
  const TmpDir tmp;
  tmp.write("s.bedgraph", "c\t9\t11\t-1.5\nc\t11\t12\t-2\nd\t0\t5\t-3\n");
  const std::string page = page_of("genomamba report -q -o r.html -r c:11-20 s.bedgraph", tmp);
  CHECK(count(page, "<figure class=\"track\"") == 1);
  CHECK(has(page, "value along c:11-12"));
  CHECK(has(page, "data-begin=\"10\" data-end=\"12\""));
  const AppResult none = run_shell("genomamba report -o - -r q:1-5 s.bedgraph", tmp.path());
  CHECK(none.exit_code == 2);
  CHECK(has(none.err, "-r q:1-5: no score file"));
  CHECK(run_shell("genomamba report -o - -r c:9-5 s.bedgraph", tmp.path()).exit_code == 2);
}

TEST_CASE("Empty outputs make a page that says so") {
  const TmpDir tmp;
  write_embedding(tmp, {}, 0);
  tmp.write("v.vcf", vcf(""));
  tmp.write("s.tsv", "#contig\tstart\tend\tref\tregion\tlogp\n");
  const std::string page = page_of("genomamba report -q -o r.html e.npy v.vcf s.tsv", tmp);
  CHECK(has(page, "Fewer than two vectors"));
  CHECK(has(page, "No records."));
  CHECK(has(page, "No values to show."));
  write_embedding(tmp, {"a", "b"}, 0);
  CHECK(has(page_of("genomamba report -q -o r.html e.npy", tmp), "class=\"points\""));
}

TEST_CASE("What cannot be shown is an error that names the file, and nothing is written") {
  const TmpDir tmp;
  write_embedding(tmp, {"a", "b"}, 0);
  tmp.write("r.fa", kFasta);
  tmp.write("plain.vcf", "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n");
  tmp.write("bad.json", "{\"schema_version\": 1, ");
  tmp.write("bad.tsv", "#contig\tstart\tend\tref\tregion\tlogp\nc\t0\t1\tA\tc\tx\n");
  tmp.write("cut.tsv", "#contig\tstart\tend\tref\tregion\tlogp\nc\t0\t1\n");
  tmp.write("two.vcf", vcf("c\t5\t.\tA\tG\t.\t.\tGM_LLR=1,2\n"));
  run_shell(
      "head -c 20 e.npy > cut.npy; cp e.rows.tsv.gz cut.rows.tsv.gz; cp e.npy alone.npy; "
      "head -c 138 e.npy > short.npy; cp e.rows.tsv.gz x.rows.tsv.gz; printf "
      "'\\x26\\xfc\\x8f\\x88' > bad.bw",
      tmp.path());
  const auto error = [&](const std::string& arguments, int status) {
    const AppResult result = run_shell("genomamba report -o out.html " + arguments, tmp.path());
    INFO(arguments << "\n" << result.err);
    CHECK(result.exit_code == status);
    CHECK(count(result.err, "\n") == 1);
    return result.err;
  };
  CHECK(has(error("r.fa", 1), "r.fa: is none of the kinds"));
  CHECK(has(error("plain.vcf", 1), "plain.vcf: is a VCF without GM_LLR"));
  CHECK(has(error("bad.json", 1), "bad.json"));
  CHECK(has(error("bad.tsv", 1), "bad.tsv: line 2: 'x' is no value"));
  CHECK(has(error("cut.tsv", 1), "cut.tsv: line 2"));
  CHECK(has(error("two.vcf", 1), "two.vcf: record 1: GM_LLR has 2 values"));
  CHECK(has(error("cut.npy", 1), "cut.npy"));
  CHECK(has(error("short.npy", 1), "short.npy: has 138 bytes"));
  CHECK(has(error("alone.npy", 1), "alone.rows.tsv.gz"));
  CHECK(has(error("x.rows.tsv.gz", 1), "give its .npy"));
  CHECK(has(error("bad.bw", 1), "bad.bw"));
  CHECK(has(error("absent", 1), "absent"));
  CHECK(has(error("e.npy --color-by nope", 2), "no column 'nope'"));
  CHECK(has(error("e.npy --second gc", 2), "--sequences"));
  CHECK(has(error("two.vcf --labels r.fa", 2), "--labels needs an embedding"));
  CHECK(has(error("e.npy --smooth 4", 2), "odd"));
  CHECK(has(error("-", 2), "stdin"));
  CHECK(has(error("", 2), "INPUT"));
  CHECK(run_shell("ls out.html", tmp.path()).exit_code != 0);
  const AppResult itself = run_shell("genomamba report -o e.npy e.npy", tmp.path());
  CHECK(itself.exit_code == 2);
  CHECK(has(itself.err, "input and an output at once"));
}
