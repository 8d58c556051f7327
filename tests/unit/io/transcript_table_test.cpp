// SPDX-License-Identifier: MIT
#include "genomamba/io/transcript_table.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "error_text.hpp"
#include "tmp_dir.hpp"

using genomamba::io::Transcript;
using genomamba::io::TranscriptTable;
using genomamba::test::TmpDir;

TEST_CASE("A transcript table gives each id its coding sequence and exon ends") {
  const TmpDir tmp;
  const std::string path = tmp.write(
      "t.tsv", "#id\tcds_start\tcds_end\texon_ends\r\na\t2\t11\t5,20\r\n\r\nb c\t.\t.\t.\r\n");
  const TranscriptTable table = TranscriptTable::load(path);
  CHECK(table.path() == path);
  const Transcript* a = table.find("a");
  REQUIRE(a != nullptr);
  CHECK(a->cds_start == 2);
  CHECK(a->cds_end == 11);
  CHECK(a->exon_ends == std::vector<std::uint64_t>{5, 20});
  const Transcript* b = table.find("b c");
  REQUIRE(b != nullptr);
  CHECK(b->cds_start == b->cds_end);
  CHECK(b->exon_ends.empty());
  CHECK(table.find("b") == nullptr);
}

TEST_CASE("The hash of a transcript table is that of its lines") {
  const TmpDir tmp;
  const auto hash = [&](const std::string& text) {
    return TranscriptTable::load(tmp.write("t.tsv", text)).sha256();
  };
  const std::string plain = hash("a\t0\t3\t7\nb\t.\t.\t.\n");
  CHECK(plain.size() == 64);
  CHECK(hash("# a remark\r\na\t0\t3\t7\r\nb\t.\t.\t.") == plain);
  CHECK(hash("a\t0\t3\t8\nb\t.\t.\t.\n") != plain);
}

TEST_CASE("Lines of a transcript table that cannot be read are named") {
  const TmpDir tmp;
  for (const auto& [line, reason] : std::vector<std::pair<std::string, std::string>>{
           {"x\t0\t3", "3 columns"},
           {"x\t0\t3\t4\t5", "5 columns"},
           {"\t0\t3\t4", "4 columns"},
           {"x 0 3 4", "1 columns"},
           {"x\t-1\t3\t4", "cds_start '-1' is no whole number"},
           {"x\t0\t99999999999999999999\t4", "cds_end '99999999999999999999'"},
           {"x\t.\t3\t4", "both are numbers, or both are ."},
           {"x\t3\t3\t4", "cds_start 3 is not before cds_end 3"},
           {"x\t0\t3\t0", "0 does not lie behind 0"},
           {"x\t0\t3\t9,9", "9 does not lie behind 9"},
           {"x\t0\t3\t9,", "exon end '' is no whole number"},
           {"x\t0\t3\t", "exon end '' is no whole number"},
           {"a\t0\t3\t4", "a has a line already"},
       }) {
    const std::string path = tmp.write("t.tsv", "a\t.\t.\t.\n" + line + "\n");
    INFO(line);
    const std::string message = genomamba::test::error_text([&] { TranscriptTable::load(path); });
    CHECK(message.find(path + ": line 2: ") == 0);
    CHECK(message.find(reason) != std::string::npos);
  }
}
