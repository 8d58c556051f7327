// SPDX-License-Identifier: MIT
#include "job_source.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "genomamba/core/error.hpp"
#include "tmp_dir.hpp"

using namespace genomamba;            // NOLINT(google-build-using-namespace)
using namespace genomamba::pipeline;  // NOLINT(google-build-using-namespace)
using genomamba::test::TmpDir;

namespace {

std::string fasta(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids)
    text += ">" + id + "\nACGT\n";
  return text;
}

std::vector<std::string> ids_of(const EmbedOptions& options) {
  JobSource source(options, silent_log());
  std::vector<std::string> ids;
  while (auto job = source.next()) {
    for (const auto& mate : job->mates)
      ids.push_back(mate.record.id);
  }
  return ids;
}

std::string error_of(const EmbedOptions& options) {
  try {
    ids_of(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Inputs come one after the other") {
  const TmpDir tmp;
  EmbedOptions options;
  options.inputs = {tmp.write("a.fa", fasta({"a", "b"})), tmp.write("b.fa", fasta({"c"}))};
  CHECK(ids_of(options) == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("Mates come in turn from two files, with and without endings") {
  const TmpDir tmp;
  EmbedOptions options;
  options.pairing = Pairing::kTwoFiles;
  options.inputs = {tmp.write("1.fa", fasta({"a/1", "b"})), tmp.write("2.fa", fasta({"a/2", "b"}))};
  CHECK(ids_of(options) == std::vector<std::string>{"a/1", "a/2", "b", "b"});
  options.pairing = Pairing::kInterleaved;
  options.inputs = {tmp.write("i.fa", fasta({"a/1", "a/2", "b", "b"}))};
  CHECK(ids_of(options) == std::vector<std::string>{"a/1", "a/2", "b", "b"});
}

TEST_CASE("A read without a mate is named with both files") {
  const TmpDir tmp;
  EmbedOptions options;
  options.pairing = Pairing::kTwoFiles;
  options.inputs = {tmp.write("1.fa", fasta({"a", "b", "c"})),
                    tmp.write("2.fa", fasta({"a", "b"}))};
  CHECK(error_of(options) == options.inputs[0] + ": record 3 (c): has no mate: " +
                                 options.inputs[1] + " ends after 2 records");
  options.inputs = {options.inputs[1], options.inputs[0]};
  CHECK(error_of(options) == options.inputs[1] + ": record 3 (c): has no mate: " +
                                 options.inputs[0] + " ends after 2 records");
}

TEST_CASE("Mates of other names are refused") {
  const TmpDir tmp;
  EmbedOptions options;
  options.pairing = Pairing::kTwoFiles;
  options.inputs = {tmp.write("1.fa", fasta({"s1/1"})), tmp.write("2.fa", fasta({"s10/2"}))};
  CHECK(error_of(options).find("record 1 (s10/2), which has another name") != std::string::npos);
  options.inputs = {tmp.write("1.fa", fasta({"s1/2"})), tmp.write("2.fa", fasta({"s1/1"}))};
  CHECK_FALSE(error_of(options).empty());
}

TEST_CASE("Filtered records are counted by reason, an empty record is kept") {
  const TmpDir tmp;
  EmbedOptions options;
  options.inputs = {tmp.write("a.fa", ">empty\n>one\nA\n>two\nAC\n>three\nACG\n")};
  options.min_length = 2;
  options.max_length = 2;
  JobSource source(options, silent_log());
  std::vector<std::string> kept;
  while (auto job = source.next())
    kept.push_back(job->mates[0].record.id);
  CHECK(kept == std::vector<std::string>{"two"});
  CHECK(source.n_in() == 4);
  CHECK(source.filtered().at("too_short") == 2);
  CHECK(source.filtered().at("too_long") == 1);
  options.min_length = 1;
  CHECK(ids_of(options) == std::vector<std::string>{"empty", "one", "two"});
}

TEST_CASE("Records that their flags exclude are nobody's mate") {
  const TmpDir tmp;
  const std::string line = "\tc\t1\t60\t4M\t*\t0\t0\tACGT\t*\n";
  EmbedOptions options;
  options.pairing = Pairing::kInterleaved;
  options.inputs = {tmp.write("a.sam", "@HD\tVN:1.6\n@SQ\tSN:c\tLN:100\np\t65" + line + "p\t2113" +
                                           line + "p\t129" + line)};
  JobSource source(options, silent_log());
  CHECK(source.next().has_value());
  CHECK_FALSE(source.next().has_value());
  CHECK(source.filtered().at("excluded_flags") == 1);
}
