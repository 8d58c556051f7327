// SPDX-License-Identifier: MIT
// ReferenceReader: every base of every region, plain and BGZF, with any index.
#include "genomamba/io/reference_reader.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "error_text.hpp"
#include "make_files.hpp"
#include "read_all.hpp"
#include "tmp_dir.hpp"

using genomamba::io::ReferenceReader;
using genomamba::test::contains;
using genomamba::test::error_text;
using genomamba::test::RecordingLog;
using genomamba::test::TmpDir;
using genomamba::test::to_bgzf;
using genomamba::test::to_gzip;

namespace {

std::string wrapped(const std::string& letters, std::size_t width, const std::string& line_end) {
  std::string text;
  for (std::size_t i = 0; i < letters.size(); i += width)
    text += letters.substr(i, width) + line_end;
  return text;
}

std::string read(ReferenceReader& reference, std::size_t contig, std::uint64_t begin,
                 std::uint64_t end) {
  std::string letters;
  reference.read(contig, begin, end, letters);
  return letters;
}

}  // namespace

TEST_CASE("ReferenceReader: every region, whatever the line width, line end and blocks") {
  const TmpDir tmp;
  RecordingLog log;
  const std::string a = "ACGTACGTTAGCGATTACAGG";
  const std::string b = "TTGACCA";
  for (const std::string line_end : {"\n", "\r\n", " \n"}) {
    for (const std::size_t width : {1U, 4U, 7U, 21U, 60U}) {
      const std::string text = ">a x" + line_end + wrapped(a, width, line_end) + line_end +
                               ">empty\n>b\n" + wrapped(b, width, "\n");
      for (const std::string name : {"r.fa", "r.fa.gz"}) {
        tmp.write(name, name == "r.fa" ? text : to_bgzf(text, 5));
        ReferenceReader reference(tmp.file(name), "", log);
        REQUIRE(reference.contigs().size() == 3);
        CHECK(reference.contigs()[0].length == a.size());
        CHECK(reference.contigs()[1].length == 0);
        CHECK(reference.find("b") == std::size_t{2});
        CHECK_FALSE(reference.find("c"));
        for (std::uint64_t begin = 0; begin <= a.size(); ++begin) {
          for (std::uint64_t end = begin; end <= a.size(); ++end) {
            REQUIRE(read(reference, 0, begin, end) == a.substr(begin, end - begin));
          }
        }
        CHECK(read(reference, 2, 0, b.size()) == b);
      }
    }
  }
  CHECK(tmp.entries() == std::vector<std::string>{"r.fa", "r.fa.gz"});
}

TEST_CASE("ReferenceReader: a .gzi that is wrong is named, and not used") {
  const TmpDir tmp;
  tmp.write("r.fa.gz", to_bgzf(">a\nACGTACGTTAGC\n", 5));
  tmp.write("r.fa.gz.fai", "a\t12\t3\t12\t13\n");
  tmp.write("r.fa.gz.gzi", std::string(8, '\0'));
  RecordingLog log;
  ReferenceReader reference(tmp.file("r.fa.gz"), "", log);
  CHECK(read(reference, 0, 4, 9) == "ACGTT");
  REQUIRE(log.lines.size() == 1);
  CHECK(contains(log.lines[0], "r.fa.gz.gzi does not fit"));
  CHECK(contains(log.lines[0], "bgzip -r"));
}

TEST_CASE("ReferenceReader: what cannot be read at many places is refused") {
  const TmpDir tmp;
  RecordingLog log;
  const auto error = [&](const std::string& name, const std::string& bytes) {
    tmp.write(name, bytes);
    return error_text([&] { ReferenceReader(tmp.file(name), "", log); });
  };
  const std::string fasta = ">a\nACGTACGTTAGC\n";
  CHECK(contains(error("r.fa.gz", to_gzip(fasta)), "bgzip"));
  CHECK(contains(error("r.fa.gz", to_bgzf(fasta, 5, false)), "end-of-file block"));
  const std::string cut = to_bgzf(fasta, 5);
  CHECK(contains(error("r.fa.gz", cut.substr(0, 40)), "truncated"));
  CHECK(contains(error("r.fa", "@r\nACGT\n+\nIIII\n"), "FASTQ"));
  CHECK(contains(error_text([&] { ReferenceReader(tmp.file("none.fa"), "", log); }),
                 "none.fa: cannot open"));
  CHECK(contains(error_text([&] { ReferenceReader(tmp.path(), "", log); }), "directory"));
}

TEST_CASE("ReferenceReader: lines that moved after the index was made are noticed when read") {
  const TmpDir tmp;
  RecordingLog log;
  // Larger than what is scanned at once, so that only headers are followed: the last line of the
  // contig moved.
  std::string text = ">a\n" + wrapped(std::string(std::size_t{65} << 20, 'A'), 1U << 20, "\n");
  const std::string fai = "a\t" + std::to_string(std::size_t{65} << 20) + "\t3\t1048576\t1048577\n";
  std::swap(text[text.size() - 2], text[text.size() - 20]);
  text[text.size() - 20] = '\n';
  text[text.size() - 1048578] = 'A';
  tmp.write("r.fa", text);
  tmp.write("r.fa.fai", fai);
  ReferenceReader reference(tmp.file("r.fa"), "", log);
  CHECK(read(reference, 0, 100, 110) == "AAAAAAAAAA");
  const std::uint64_t end = reference.contigs()[0].length;
  CHECK(contains(error_text([&] { read(reference, 0, end - 1048600, end - 1048500); }),
                 "contig a: the lines do not stand"));
}
