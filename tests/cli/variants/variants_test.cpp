// SPDX-License-Identifier: MIT
// genomamba variants: what comes out of a VCF, in which form, and what stops a run.
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "table.hpp"
#include "tmp_dir.hpp"

using genomamba::test::parse_table;
using genomamba::test::read_file;
using genomamba::test::run_shell;
using genomamba::test::Table;
using genomamba::test::TmpDir;

namespace {

const std::string kGolden = std::string(GENOMAMBA_SOURCE_DIR) + "/tests/golden/data/";
const std::string kCausal = "genomamba variants -q -m " + kGolden + "mamba1-native -f r.fa ";
const std::string kMasked = "genomamba variants -q -m " + kGolden + "plantcaduceus-tiny -f r.fa ";

std::string random_letters(std::size_t n, unsigned seed) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    seed = seed * 1664525U + 1013904223U;
    text += "ACGT"[seed >> 30];
  }
  return text;
}

/// A reference of two contigs, and what to call its letters.
struct Fixture {
  TmpDir tmp;
  std::string letters = random_letters(2000, 7);

  Fixture() {
    letters[99] = 'A';
    letters[100] = 'C';
    letters[1499] = 'G';
    tmp.write("r.fa", ">chr1\n" + letters + "\n>chr2\n" + random_letters(400, 8) + "\n");
  }
  std::string run(const std::string& command) const {
    const auto result = run_shell(command, tmp.path());
    INFO(command << "\n" << result.err);
    REQUIRE(result.exit_code == 0);
    return result.out;
  }
};

const std::string kHeader =
    "##fileformat=VCFv4.2\n"
    "##contig=<ID=chr1,length=2000>\n##contig=<ID=chr2,length=400>\n##contig=<ID=chrZ,length=9>\n"
    "##FILTER=<ID=q10,Description=\"low\">\n"
    "##INFO=<ID=AF,Number=A,Type=Float,Description=\"f\">\n"
    "##INFO=<ID=DB,Number=0,Type=Flag,Description=\"d\">\n"
    "##INFO=<ID=GM_LLR,Number=1,Type=String,Description=\"of another time\">\n"
    "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"g\">\n"
    "##FORMAT=<ID=AD,Number=R,Type=Integer,Description=\"a\">\n"
    "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts1\ts2\n";

/// Unsorted, with one record of each kind.
const std::string kRecords =
    "chr1\t1500\tlate\tG\tT\t30\tPASS\tAF=0.5;DB\tGT:AD\t0/1:3,4\t./.:.\n"
    "chr1\t100\tsnv\tA\tC,G\t.\tq10\tAF=0.25,0.125;GM_LLR=old\tGT:AD\t1|2:0,1,2\t0/0:5,0,0\n"
    "chr1\t100\tins\tA\tACGT\t.\t.\t.\tGT:AD\t0/1:1,1\t0/0:2,0\n"
    "chr1\t100\tdel\tAC\tA\t.\t.\t.\tGT:AD\t0/1:1,1\t0/0:2,0\n"
    "chr1\t100\tstar\ta\tg,*\t.\t.\t.\tGT:AD\t0/1:1,1,0\t0/0:2,0,0\n"
    "chr1\t100\tsym\tA\t<DEL>\t.\t.\t.\tGT:AD\t0/1:1,1\t0/0:2,0\n"
    "chr1\t100\tbnd\tA\tA[chr2:5[\t.\t.\t.\tGT:AD\t0/1:1,1\t0/0:2,0\n"
    "chr1\t100\tmono\tA\t.\t.\t.\t.\tGT:AD\t0/0:1\t0/0:2\n"
    "chr1\t100\twrong\tT\tG\t.\t.\t.\tGT:AD\t0/1:1,1\t0/0:2,0\n"
    "chr1\t100\tn\tA\tN\t.\t.\t.\tGT:AD\t0/1:1,1\t0/0:2,0\n"
    "chrZ\t5\taway\tA\tG\t.\t.\t.\tGT:AD\t0/1:1,1\t0/0:2,0\n";

std::vector<std::vector<std::string>> records_of(const std::string& vcf) {
  std::vector<std::vector<std::string>> records;
  for (std::size_t begin = 0; begin < vcf.size();) {
    const std::size_t end = vcf.find('\n', begin);
    const std::string line = vcf.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with('#')) continue;
    std::vector<std::string>& fields = records.emplace_back();
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t tab = std::min(line.find('\t', at), line.size());
      fields.push_back(line.substr(at, tab - at));
      at = tab + 1;
    }
  }
  return records;
}

std::map<std::string, std::string> info_of(const std::vector<std::string>& record) {
  std::map<std::string, std::string> info;
  const std::string& text = record.at(7);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::string field = text.substr(at, end - at);
    const std::size_t equals = std::min(field.find('='), field.size());
    info[field.substr(0, equals)] = equals < field.size() ? field.substr(equals + 1) : "";
    at = end + 1;
  }
  return info;
}

/// Records without their GM_ fields, one a line.
std::string without_scores(const std::string& vcf) {
  std::string text;
  for (auto record : records_of(vcf)) {
    std::string info;
    for (const auto& [name, value] : info_of(record)) {
      if (name.starts_with("GM_") || name == ".") continue;
      info += (info.empty() ? "" : ";") + name + (value.empty() ? "" : "=" + value);
    }
    record[7] = info.empty() ? "." : info;
    for (const std::string& field : record)
      text += field + "\t";
    text += "\n";
  }
  return text;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

}  // namespace

TEST_CASE("Every record and field comes out in order, with a score or a reason for each ALT") {
  const Fixture f;
  f.tmp.write("in.vcf", kHeader + kRecords);
  const std::string out = f.run(kCausal + "in.vcf --table t.tsv");
  std::string wanted = without_scores(kHeader + kRecords);
  wanted.replace(wanted.find("star\ta\tg,*"), 10, "star\tA\tG,*");  // case means nothing
  CHECK(without_scores(out) == wanted);

  std::map<std::string, std::map<std::string, std::string>> info;
  for (const auto& record : records_of(out))
    info[record[2]] = info_of(record);
  CHECK(count(info["snv"]["GM_LLR"], ",") == 1);
  CHECK(info["snv"]["GM_LLR"].find("old") == std::string::npos);
  CHECK(info["snv"].count("GM_SKIP") == 0);
  CHECK(info["star"]["GM_LLR"].ends_with(",."));
  CHECK(info["star"]["GM_SKIP"] == ".,star");
  const std::map<std::string, std::string> reasons = {
      {"sym", "symbolic"},       {"bnd", "breakend"}, {"mono", "no_alt"},
      {"wrong", "ref_mismatch"}, {"n", "not_acgt"},   {"away", "contig_missing"}};
  for (const auto& [id, reason] : reasons) {
    INFO(id);
    CHECK(info[id]["GM_SKIP"] == reason);
    CHECK(info[id].count("GM_LLR") == 0);
  }
  CHECK(count(out, "##INFO=<ID=GM_LLR,Number=A,Type=Float,") == 1);
  CHECK(count(out, "##INFO=<ID=GM_LLR") == 1);
  CHECK(count(out, "##INFO=<ID=GM_SKIP,Number=A,Type=String,") == 1);
  CHECK(out.find("method causal, window 1024") != std::string::npos);
  CHECK(count(out, "##genomamba=") == 1);
  // The ALT that the star's record shares with another one has the same score.
  CHECK(info["star"]["GM_LLR"].substr(0, info["star"]["GM_LLR"].find(',')) ==
        info["snv"]["GM_LLR"].substr(info["snv"]["GM_LLR"].find(',') + 1));

  const Table table = parse_table(read_file(f.tmp.file("t.tsv")));
  CHECK(table.columns ==
        std::vector<std::string>{"contig", "pos", "id", "ref", "alt", "llr", "skip"});
  CHECK(table.rows.size() == 13);
  CHECK(table.rows[0].at("pos") == "1500");
  CHECK(std::abs(std::stod(table.rows[0].at("llr")) - std::stod(info["late"]["GM_LLR"])) < 1e-4);
  CHECK(table.rows[10].at("skip") == "ref_mismatch: VCF T, FASTA A");
  CHECK(table.rows[10].at("llr") == ".");
}

TEST_CASE("BCF, BGZF, stdin and an earlier output give the same, whatever the threads") {
  const Fixture f;
  f.tmp.write("in.vcf", kHeader + kRecords);
  const std::string out = f.run(kCausal + "in.vcf");
  f.run(kCausal + "in.vcf -o out.bcf");
  f.run(kCausal + "in.vcf -o out.vcf.gz");
  f.run(kCausal + "in.vcf -O u -o raw");
  CHECK(read_file(f.tmp.file("out.bcf")).substr(0, 2) == "\x1f\x8b");
  CHECK(f.run(kCausal + "out.bcf") == out);
  CHECK(f.run(kCausal + "out.vcf.gz") == out);
  CHECK(f.run(kCausal + "raw") == out);
  CHECK(f.run("cat out.bcf | " + kCausal + "-") == out);
  CHECK(f.run(kCausal + "-t 1 in.vcf") == out);
  CHECK(f.run("gzip -c in.vcf | " + kCausal + "-") == out);
  const std::string plain = f.run(kCausal + "--no-version in.vcf");
  CHECK(plain.find("##genomamba") == std::string::npos);
  CHECK(records_of(plain) == records_of(out));
}

TEST_CASE("Options -r and -R take records whose POS lies inside, by a scan or by an index") {
  const Fixture f;
  const std::string sorted = "chr1\t90\ta\t" + f.letters.substr(89, 12) + "\t" +
                             f.letters.substr(89, 1) +
                             "\t.\t.\t.\tGT\t0/0\t0/0\nchr1\t100\tb\tA\tC\t.\t.\t.\tGT\t0/0\t0/0\n"
                             "chr1\t1500\tc\tG\tT\t.\t.\t.\tGT\t0/0\t0/0\n";
  f.tmp.write("in.vcf", kHeader + sorted);
  f.tmp.write("in.bed", "chr1\t1490\t1500\nchr1\t95\t100\nchr1\t96\t101\n");
  f.run(kCausal + "--write-index in.vcf -o i.vcf.gz");
  f.run(kCausal + "--write-index in.vcf -o i.bcf");
  CHECK(f.tmp.entries() == std::vector<std::string>{"i.bcf", "i.bcf.csi", "i.vcf.gz",
                                                    "i.vcf.gz.tbi", "in.bed", "in.vcf", "r.fa"});
  for (const std::string file : {"in.vcf", "i.vcf.gz", "i.bcf"}) {
    INFO(file);
    CHECK(records_of(f.run(kCausal + "-r chr1:95-100 " + file)).size() == 1);
    CHECK(records_of(f.run(kCausal + "-r chr1:95-100 " + file))[0][2] == "b");
    const auto both = records_of(f.run(kCausal + "-R in.bed " + file));
    REQUIRE(both.size() == 2);
    CHECK(both[0][2] == "b");
    CHECK(both[1][2] == "c");
    CHECK(records_of(f.run(kCausal + "-r chr2 " + file)).empty());
  }
  const auto unsorted = run_shell("cat in.vcf <(tail -1 in.vcf | sed s/1500/7/) > u.vcf; " +
                                      kCausal + "--write-index u.vcf -o u.vcf.gz",
                                  f.tmp.path());
  CHECK(unsorted.exit_code == 1);
  CHECK(unsorted.err.find("not in sorted order") != std::string::npos);
  CHECK(run_shell("ls u.vcf.gz", f.tmp.path()).exit_code != 0);
  CHECK(run_shell(kCausal + "--write-index in.vcf -o p.vcf", f.tmp.path()).exit_code == 2);
}

TEST_CASE(
    "Option --saturation scores every SNV of a region, as the same records of a VCF are scored") {
  const Fixture f;
  for (const std::string& app : {kCausal, kMasked + "--window 64 "}) {
    INFO(app);
    const std::string out = f.run(app + "--saturation chr1:96-115 -o - --npy s.npy");
    const auto records = records_of(out);
    REQUIRE(records.size() == 20);
    CHECK(records[4][3] == "A");
    CHECK(records[4][4] == "C,G,T");
    f.tmp.write("s.vcf", out);
    CHECK(records_of(f.run(app + "s.vcf")) == records);

    const std::string npy = read_file(f.tmp.file("s.npy"));
    CHECK(npy.find("'shape': (20, 4)") != std::string::npos);
    float row[4];
    std::memcpy(row, npy.data() + 128 + 4 * sizeof row, sizeof row);
    CHECK(row[0] == 0.0F);
    const std::string llr = info_of(records[4])["GM_LLR"];
    CHECK(std::abs(std::stof(llr) - row[1]) < 1e-4F);
    CHECK(std::abs(std::stof(llr.substr(llr.rfind(',') + 1)) - row[3]) < 1e-4F);
  }
  CHECK(f.run("zcat s.rows.tsv.gz").find("chr1\t95\t115") != std::string::npos);
  CHECK(run_shell(kCausal + "--saturation chr1:1-9 s.vcf", f.tmp.path()).exit_code == 2);
}

TEST_CASE("Letters that are no bases have no saturation record, and a row of NaN") {
  const TmpDir tmp;
  tmp.write("r.fa", ">c\n" + random_letters(60, 5) + "NNRN" + random_letters(60, 6) + "NN\n");
  const auto result = run_shell(kCausal + "--saturation c --npy s.npy", tmp.path());
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.empty());
  const std::string npy = read_file(tmp.file("s.npy"));
  CHECK(npy.find("'shape': (126, 4)") != std::string::npos);
  for (std::size_t i = 0; i < 126; ++i) {
    float value = 0;
    std::memcpy(&value, npy.data() + 128 + i * 16, sizeof value);
    CHECK(std::isnan(value) == ((i >= 60 && i < 64) || i >= 124));
  }
}

TEST_CASE("A header without contig lines gets those of the reference") {
  const Fixture f;
  f.tmp.write("in.vcf",
              "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n"
              "chr1\t100\t.\tA\tC\t.\tnew\tX=5\n");
  const std::string out = f.run(kCausal + "in.vcf");
  CHECK(out.find("##contig=<ID=chr2,length=400>") != std::string::npos);
  CHECK(out.find("new\tX=5;GM_LLR=") != std::string::npos);
  const auto bcf = run_shell(kCausal + "in.vcf -O b -o x.bcf", f.tmp.path());
  CHECK(bcf.exit_code == 1);
  CHECK(bcf.err.find("does not declare") != std::string::npos);
}

TEST_CASE("Errors are one line, name the file and leave nothing behind") {
  const Fixture f;
  f.tmp.write("in.vcf", kHeader + kRecords);
  f.tmp.write("1.vcf",
              "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n"
              "1\t100\t.\tA\tC\t.\t.\t.\n");
  f.tmp.write("bad.vcf", kHeader + "chr1\tx\t.\tA\tC\t.\t.\t.\tGT\t0/0\t0/0\n");
  f.tmp.write("no.vcf", "hello\n");
  f.run(kCausal + "in.vcf -o whole.vcf.gz");
  f.run("head -c 900 whole.vcf.gz > cut.vcf.gz");
  const auto before = f.tmp.entries();
  struct Case {
    std::string arguments;
    int status;
    std::string said;
  };
  for (const Case& c : std::vector<Case>{
           {kCausal + "1.vcf -o o.vcf", 1, "did you mean chr1"},
           {kCausal + "nope.vcf -o o.vcf", 1, "nope.vcf: cannot open"},
           {kCausal + "bad.vcf -o o.vcf", 1, "bad.vcf: record 1: malformed VCF line"},
           {kCausal + "no.vcf -o o.vcf", 1, "no.vcf: is no VCF or BCF"},
           {kCausal + "cut.vcf.gz -o o.vcf", 1, "cut.vcf.gz"},
           {kCausal + "in.vcf -o in.vcf", 2, "is an input and an output at once"},
           {kCausal + "in.vcf -o o.tsv", 2, "unknown extension"},
           {kCausal + "in.vcf --convention plantcad", 2, "is causal"},
           {kMasked + "in.vcf --converge 1e-3", 2, "is bidirectional"},
           {"env -u GENOMAMBA_MODEL genomamba variants -f r.fa in.vcf", 2, "no model"},
           {kCausal + "", 2, "INPUT is missing"},
           {kCausal + "in.vcf --strict -o /dev/null", 1, "7 ALTs have no score"}}) {
    const auto result = run_shell(c.arguments, f.tmp.path());
    INFO(c.arguments << "\n" << result.err);
    CHECK(result.exit_code == c.status);
    CHECK(result.err.find("genomamba-variants: error: ") != std::string::npos);
    CHECK(result.err.find(c.said) != std::string::npos);
  }
  CHECK(f.tmp.entries() == before);
}

TEST_CASE("The report counts ALTs by reason, stderr says the first ones") {
  const Fixture f;
  f.tmp.write("in.vcf", kHeader + kRecords);
  const auto result = run_shell("genomamba variants -m " + kGolden +
                                    "mamba1-native -f r.fa in.vcf -o o.vcf --report rep.json",
                                f.tmp.path());
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.find("chr1:100 (wrong): ref_mismatch: VCF T, FASTA A") != std::string::npos);
  CHECK(result.err.find("chr1:100 (star) ALT 2: star") != std::string::npos);
  const std::string report = read_file(f.tmp.file("rep.json"));
  CHECK(report.find("\"records\": 11") != std::string::npos);
  CHECK(report.find("\"ref_mismatch\": 1") != std::string::npos);
}

TEST_CASE("A run that a signal ends leaves no output, and a report that says how far it came") {
  const Fixture fixture;
  std::string vcf = "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n";
  for (int i = 0; i < 2000; ++i)
    vcf += "chr1\t101\t.\tC\tA\t.\t.\t.\n";
  fixture.tmp.write("in.vcf", vcf);
  // The input never ends, so the run waits for more when the signal comes.
  const auto result = run_shell(
      "mkfifo pipe; set -m; (cat in.vcf; sleep 60) > pipe & producer=$!; genomamba-variants -q "
      "-m " +
          kGolden +
          "mamba1-native -f r.fa --window 64 -o out.vcf --report report.json pipe & p=$!; sleep 3; "
          "kill -TERM $p; wait $p; status=$?; kill -KILL -$producer; exit $status",
      fixture.tmp.path());
  INFO(result.err);
  CHECK(result.exit_code == 143);
  CHECK(fixture.tmp.entries() == std::vector<std::string>{"in.vcf", "pipe", "r.fa", "report.json"});
  const std::string report = read_file(fixture.tmp.file("report.json"));
  CHECK(report.find("\"exit_status\": 143") != std::string::npos);
  CHECK(report.find("interrupted by a signal") != std::string::npos);
}
