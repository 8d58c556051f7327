// SPDX-License-Identifier: MIT
// FASTA and FASTQ: what is read, what is refused, and with which words.
#include <string>
#include <string_view>

#include "catch.hpp"
#include "error_text.hpp"
#include "read_all.hpp"
#include "tmp_dir.hpp"

namespace genomamba::io {
namespace {

using test::contains;
using test::error_text;
using test::read_all;
using test::TmpDir;
using test::to_text;
using namespace std::string_literals;

/// The records of a text, or the message of the error.
std::string read_text(std::string_view text) {
  const TmpDir dir;
  const std::string path = dir.write("in.fx", text);
  std::string records;
  const std::string error = error_text([&] { records = to_text(read_all(path)); });
  if (error == "no error") return records;
  REQUIRE(contains(error, path + ": "));
  REQUIRE_FALSE(contains(error, "\n"));
  return error.substr(path.size() + 2);
}

std::vector<std::string> remarks_of(std::string_view text) {
  const TmpDir dir;
  return read_all(dir.write("in.fx", text)).remarks;
}

TEST_CASE("FASTA: names, comments, wrapped lines") {
  CHECK(read_text(">a\nACGT\n>b two words\nAC\nGT\nA\n") == "a  ACGT|b two words ACGTA");
  CHECK(read_text(">a\tx y\nAC\n") == "a x y AC");
  CHECK(read_text(">A <l> >r> <c>\nACGT\n>B a>b\nGG\n") == "A <l> >r> <c> ACGT|B a>b GG");
  CHECK(read_text(">a\nacgtN\n") == "a  acgtN");
  CHECK(read_text(">\xce\xba\xff 1\xb5\nAC\n") == "\xce\xba\xff 1\xb5 AC");
}

TEST_CASE("records carry their number, no flags and no mate") {
  const TmpDir dir;
  const auto result = read_all(dir.write("in.fa", ">a\nA\n>a\nC\n"));
  REQUIRE(result.records.size() == 2);
  CHECK(result.format == "FASTA");
  CHECK(result.records[0].number == 1);
  CHECK(result.records[1].number == 2);
  CHECK(result.records[1].flags == 0);
  CHECK(result.records[1].mate == Mate::kNone);
  CHECK(describe(result.records[1]) == "record 2 (a)");
}

TEST_CASE("a name is shown without control characters and not at any length") {
  SequenceRecord record;
  record.number = 7;
  record.id = "a\x1b[2J\x7f";
  CHECK(describe(record) == "record 7 (a\\x1b[2J\\x7f)");
  record.id = std::string(5000, 'x');
  CHECK(describe(record).size() < 130);
}

TEST_CASE("line ends, blank lines and blanks at line ends change nothing") {
  const std::string want = "a c d ACGTA|b  GG";
  CHECK(read_text(">a c d\nACG\nTA\n>b\nGG\n") == want);
  CHECK(read_text(">a c d\r\nACG\r\nTA\r\n>b\r\nGG\r\n") == want);
  CHECK(read_text(">a c d\nACG\r\nTA\n>b\r\nGG") == want);
  CHECK(read_text("\n\n>a c d\n\nACG\n\nTA\n\n\n>b\nGG\n\n\n") == want);
  CHECK(read_text("\r\n>a c d\r\n\r\nACG\r\nTA\r\n\r\n>b\r\nGG\r\n\r\n") == want);
  CHECK(read_text(">a c d  \nACG \nTA\t\n>b \t\r\nGG \r\n") == want);
  CHECK(read_text("\xef\xbb\xbf>a c d\nACGTA\n>b\nGG\n") == want);
  const std::string reads = "r1 x ACGT|r2  GG";
  CHECK(read_text("@r1 x\nACGT\n+\nIIII\n@r2\nGG\n+\nII\n") == reads);
  CHECK(read_text("@r1 x\r\nACGT\r\n+\r\nIIII\r\n@r2\r\nGG\r\n+\r\nII\r\n") == reads);
  CHECK(read_text("@r1 x\nACGT\n+\nIIII\n\n\n@r2\nGG\n+\nII") == reads);
  CHECK(read_text("@r1 x\nACGT \n+\nIIII \n@r2\nGG\t\n+ \nII\r\n\n") == reads);
  CHECK(read_text("@r1 x\nACGT\n\n+\nIIII\n@r2\n\nGG\n+\n\nII\n") == reads);
}

TEST_CASE("records of 0 bases are records") {
  CHECK(read_text(">a\n>b\nAC\n>c") == "a  |b  AC|c  ");
  CHECK(read_text("@a\n\n+\n\n@b\nAC\n+\nII\n") == "a  |b  AC");
  CHECK(read_text("@a\n+\n@b\nAC\n+\nII\n@c\n\n+") == "a  |b  AC|c  ");
}

TEST_CASE("inputs without a record") {
  for (const char* text : {"", "\n", " \r\n\n\t\n"})
    CHECK(read_text(text).empty());
}

TEST_CASE("quality lines may begin with any quality letter") {
  CHECK(read_text("@a\nACGT\n+\n@@@@\n@b\nACGT\n+\n+@>;\n@c\nAC\n+\n>>\n") ==
        "a  ACGT|b  ACGT|c  AC");
  CHECK(read_text("@a\nACGTAC\nGT\n+\n@IIIII\n@I\n@b\nAC\n+\n!~\n") == "a  ACGTACGT|b  AC");
  CHECK(read_text("@a\nACGTAC\nGT\n+a\nIII\nIIIII\n@b\nA\n+\nI\n") == "a  ACGTACGT|b  A");
}

TEST_CASE("FASTQ: quality and sequence of different length") {
  CHECK(read_text("@a\nAC\n+\nII\n@b x\nACGT\n+\nIII\n@c\nAC\n+\nII\n") ==
        "record 2 (b), line 8: quality length 3, sequence length 4");
  CHECK(read_text("@a\nACGT\n+\nIIIII\n@b\nAC\n+\nII\n") ==
        "record 1 (a), line 4: quality length 5, sequence length 4");
  CHECK(read_text("@a\nACGT\nAC\n+\nIIII\nIII\n@b\nAC\n+\nII\n") ==
        "record 1 (a), line 6: quality length 7, sequence length 6");
  CHECK(contains(read_text("@a\nACGT\n+\nIIII\n--\n@b\nAC\n+\nII\n"), "record 1 (a), line 5: "));
  CHECK(contains(read_text("@a\n\n+\nIIII\n@b\nAC\n+\nII\n"), "record 1 (a), line 4: "));
}

TEST_CASE("FASTQ cut anywhere but at a record's end is an error") {
  const std::string whole = "@a\nACGT\n+\nIIII\n@bb\nGGCC\n+bb\nJJJJ\n";
  const std::size_t first = whole.find("@bb");
  for (std::size_t n = 1; n < whole.size(); ++n) {
    const std::string got = read_text(whole.substr(0, n));
    INFO("cut at " << n << ": " << got);
    if (n == first || n == first - 1) {
      CHECK(got == "a  ACGT");
    } else if (n == whole.size() - 1) {
      CHECK(got == "a  ACGT|bb  GGCC");
    } else {
      CHECK(contains(got, "truncated"));
      CHECK(contains(got, n < first ? "record 1 (" : "record 2 ("));
    }
  }
}

TEST_CASE("FASTQ without a '+' line, other records in between") {
  CHECK(read_text("@a\nACGT\n@b\nAC\n+\nII\n") ==
        "record 1 (a), line 3: the record has no '+' line before '@'");
  CHECK(contains(read_text("@a\nAC\n+\nII\n>b\nAC\n"), "record 1 (a), line 5: "));
  CHECK(contains(read_text(">a\nAC\n@b\nAC\n+\nII\n"),
                 "record 1 (a), line 3: a FASTA sequence line begins with '@'"));
  CHECK(contains(read_text(">a\nAC\n+\nII\n"), "record 1 (a), line 3: "));
}

TEST_CASE("what no FASTA or FASTQ file begins with") {
  CHECK(read_text("ACGT\nACGT\n") == "line 1: no FASTA or FASTQ record: the line begins with 'A'");
  CHECK(read_text("\n# text\n>a\nAC\n") ==
        "line 2: no FASTA or FASTQ record: the line begins with '#'");
  CHECK(contains(read_text("\x80\x81\x82\x83"), "the byte 0x80"));
  CHECK(contains(read_text("\x01\x02\x03\x04 >a\nACGT\n"), "binary data"));
  CHECK(contains(read_text("\xff\xfe>\0a\0"s), "UTF-16"));
  CHECK(contains(read_text("##fileformat=VCFv4.2\n"), "VCF"));
}

TEST_CASE("NUL bytes, control characters and old Mac line ends are named") {
  CHECK(read_text(">a\nAC\n>b\nACG\0T\n>c\nA\n"s) == "record 2 (b), line 4: a NUL byte at base 4");
  CHECK(contains(read_text(">a\0b\nAC\n"s), "line 1: a NUL byte in the header line"));
  CHECK(contains(read_text("@a\nAC\n+\nI\0\n"s), "record 1 (a), line 4: no quality letter"));
  CHECK(contains(read_text("@a\nAC\n+\nI\x80\n"), "the byte 0x80"));
  CHECK(contains(read_text(">a\rACGT\rACGT\r>b\rAC\r"), "record 1 (a), line 1: a carriage return"));
  CHECK(contains(read_text(">a\nACGT\rACGT\n"), "record 1 (a), line 2: a carriage return"));
  CHECK(contains(read_text("@a\nACGT\n+\nII\rII\n"), "record 1 (a), line 4: a carriage return"));
  CHECK(contains(read_text("@a\nACGT\n+\rIIII\n"), "record 1 (a), line 3: a carriage return"));
}

TEST_CASE("letters are left to the caller") {
  CHECK(read_text(">a\nAC-GT*EFILPQ.1\n") == "a  AC-GT*EFILPQ.1");
}

TEST_CASE("blanks inside a sequence line: skipped in FASTA, an error in FASTQ") {
  CHECK(read_text(">a\nACG TAC\tG\n") == "a  ACGTACG");
  CHECK(contains(remarks_of(">a\nACG TAC\n").at(0), "blanks inside sequence lines"));
  CHECK(remarks_of(">a\nACG \n TAC\n").size() <= 1);
  CHECK(read_text("@a\nAC GT\n+\nIIII\n") ==
        "record 1 (a), line 2: a blank inside the sequence, before base 3");
  CHECK(contains(read_text("@a\nACGT\n+\nII II\n"), "line 4: no quality letter: a blank"));
}

TEST_CASE("semicolon lines of FASTA are comments, with a remark") {
  CHECK(read_text(";ACGT\n>a\n;CATTAG\nACGT\n; GATTACA\nTT\n") == "a  ACGTTT");
  const auto remarks = remarks_of(">a\n;CATTAG\nACGT\n;x\n");
  REQUIRE(remarks.size() == 1);
  CHECK(contains(remarks[0], "line 2: lines that begin with ';'"));
}

TEST_CASE("records without a name get one, with a remark") {
  CHECK(read_text(">\nAC\n>\nGG\n") == "record_1  AC|record_2  GG");
  CHECK(read_text("> moss green\nAC\n") == "moss green AC");
  CHECK(remarks_of(">\nAC\n>\nGG\n").size() == 1);
}

TEST_CASE("a '+' line with another name is ignored, with a remark") {
  CHECK(read_text("@a x\nAC\n+b\nII\n@c\nA\n+\nI\n") == "a x AC|c  A");
  CHECK(remarks_of("@a x\nAC\n+b\nII\n").size() == 1);
  CHECK(remarks_of("@a x\nAC\n+a x\nII\n@b y\nA\n+b\nI\n").empty());
}

TEST_CASE("lines far longer than any buffer") {
  // Pieces meet the buffer's edge in each kind of line.
  const std::string sequence(200001, 'A');
  const std::string quality(200001, '@');
  const std::string name(70000, 'n');
  const TmpDir dir;
  const auto fastq = read_all(dir.write(
      "in.fq", "@" + name + " c\r\n" + sequence + "\r\n+\r\n" + quality + "\r\n@b\nA\n+\nI\n"));
  REQUIRE(fastq.records.size() == 2);
  CHECK(fastq.records[0].id == name);
  CHECK(fastq.records[0].comment == "c");
  CHECK(fastq.records[0].sequence == sequence);
  for (std::size_t n = 65530; n < 65545; ++n) {
    const std::string line(n, 'C');
    const auto fasta =
        read_all(dir.write("in.fa", ">a\r\n" + line + "\r\n" + line + "\r\n>b\r\nG\r\n"));
    REQUIRE(fasta.records.size() == 2);
    CHECK(fasta.records[0].sequence == line + line);
    CHECK(fasta.records[1].sequence == "G");
  }
  CHECK(contains(error_text([&] { read_all(dir.write("in.fa", ">" + std::string(2 << 20, 'x'))); }),
                 "the header line is longer than"));
}

}  // namespace
}  // namespace genomamba::io
