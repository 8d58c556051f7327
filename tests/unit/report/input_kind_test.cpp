// SPDX-License-Identifier: MIT
// Inputs are known by their content, whatever their names.
#include "input_kind.hpp"

#include <string>

#include "catch.hpp"
#include "genomamba/core/error.hpp"
#include "tmp_dir.hpp"

using genomamba::report::InputKind;
using genomamba::report::recognise;
using genomamba::test::TmpDir;

TEST_CASE("Each kind is known by its content") {
  const TmpDir tmp;
  const auto kind = [&](const std::string& bytes) { return recognise(tmp.write("x", bytes)); };
  const std::string lines = "##genomamba=0.1.0\n##model=m sha256:1\n";
  CHECK(kind("\x93NUMPY\x01") == InputKind::kEmbedding);
  CHECK(kind("\x26\xfc\x8f\x88") == InputKind::kBigWig);
  CHECK(kind("##fileformat=VCFv4.2\n") == InputKind::kVcf);
  CHECK(kind(lines + "#row\tid\tcomment\n") == InputKind::kRowTable);
  CHECK(kind(lines + "#contig\tstart\tend\tref\tregion\tlogp\n") == InputKind::kScoreTsv);
  CHECK(kind(lines + "##column=logp\n") == InputKind::kBedGraph);
  CHECK(kind("track type=bedGraph\nchr1\t0\t1\t-0.5\r\n") == InputKind::kBedGraph);
  CHECK(kind("{\n \"schema_version\": 1}") == InputKind::kRunReport);
}

TEST_CASE("A file of no known kind is named, and what it seems to be") {
  const TmpDir tmp;
  const auto error = [&](const std::string& bytes) -> std::string {
    try {
      recognise(tmp.write("odd", bytes));
    } catch (const genomamba::InputError& caught) {
      return caught.what();
    }
    return {};
  };
  for (const auto& [bytes, guess] :
       {std::pair<std::string, std::string>{"", "empty"},
        {">r\nACGT\n", "FASTA"},
        {"@r\nA\n+\nI\n", "FASTQ"},
        {"a b c\n", "first lines"},
        {std::string("\x7f"
                     "ELF\0\0",
                     6),
         "binary"},
        {"chr1\t0\t1\tgene\n", "first lines"},
        {"#row\tid\te0\te1\n", "embedding as TSV"},
        {"#row\tcontig\tstart\tend\tregion\toffset\tn_positions\n", "row table of score"}}) {
    INFO(bytes);
    const std::string text = error(bytes);
    CHECK(text.find("odd: ") != std::string::npos);
    CHECK(text.find(guess) != std::string::npos);
  }
  CHECK_THROWS_AS(recognise(tmp.path()), genomamba::InputError);
  CHECK_THROWS_AS(recognise(tmp.file("absent")), genomamba::InputError);
}
