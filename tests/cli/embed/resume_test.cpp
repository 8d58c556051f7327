// SPDX-License-Identifier: MIT
// --resume: an interrupted run goes on where it was, and the result is the same to the byte.
#include <string>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "tmp_dir.hpp"

using genomamba::test::read_file;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

using Names = std::vector<std::string>;
const std::string kEmbed = "genomamba-embed -m tiny-random ";

/// Reads of several lengths, an empty one, and one that is a batch of its own.
std::string reads(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) {
    text += ">r" + std::to_string(i) + "\n" + std::string(static_cast<std::size_t>(i % 50), 'G') +
            "ACGTN\n";
  }
  text += ">empty\n>long\n";
  for (int i = 0; i < 3000; ++i)
    text += "ACGTTGCATG\n";
  return text + ">last\nACGT\n";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Shell code that starts `command` reading r.fa (a FIFO's content), kills it by `signal` once the
/// resume file has grown, and waits.
std::string interrupted(const std::string& command, const std::string& signal) {
  return "set -m; " + command +
         " & p=$!; for i in $(seq 400); do s=$(stat -c %s resume 2>/dev/null || echo 0); "
         "[ $s -gt 60000 ] && break; sleep 0.01; done; kill -" +
         signal + " $p; wait $p";
}

}  // namespace

TEST_CASE("A run that was interrupted goes on, and its outputs are those of a whole run") {
  const TmpDir tmp;
  tmp.write("r.fa", reads(30000));
  for (const std::string options : {"--pool mean -o x.npy", "--pool none -o x.npy"}) {
    const std::string command = kEmbed + options + " --isa baseline r.fa ";
    const std::string one = command + "-@ 1 --batch-tokens 512 ";
    REQUIRE(run_shell(one, tmp.path()).exit_code == 0);
    const std::string matrix = read_file(tmp.file("x.npy"));
    const std::string rows = read_file(tmp.file("x.rows.tsv.gz"));
    for (const std::string signal : {"INT", "TERM", "KILL"}) {
      run_shell("rm -f x.*", tmp.path());
      const auto stopped = run_shell(interrupted(one + "--resume resume", signal), tmp.path());
      INFO(options + " " + signal + ": " + stopped.err);
      REQUIRE(stopped.exit_code > 128);
      run_shell("rm -f .genomamba-*", tmp.path());
      REQUIRE(tmp.entries() == Names{"r.fa", "resume"});
      // Other threads and batches than before.
      const auto resumed = run_shell(
          command + "--resume resume -@ 2 --batch-tokens 1000 --report r.json", tmp.path());
      INFO(resumed.err);
      REQUIRE(resumed.exit_code == 0);
      CHECK(contains(resumed.err, " records were taken from resume"));
      CHECK_FALSE(contains(read_file(tmp.file("r.json")), "\"records_restored\": 0,"));
      CHECK(read_file(tmp.file("x.npy")) == matrix);
      CHECK(read_file(tmp.file("x.rows.tsv.gz")) == rows);
      run_shell("rm r.json", tmp.path());
      CHECK(tmp.entries() == Names{"r.fa", "x.npy", "x.rows.tsv.gz"});
    }
  }
}

TEST_CASE("A run that fails keeps what it finished, and refuses a changed input or option") {
  const TmpDir tmp;
  const std::string good = reads(20000);
  tmp.write("r.fa", good);
  tmp.write("bad.fa", ">x\nAC*T\n");
  tmp.write("other.fa", ">x\nACGT\n");
  const std::string begun = kEmbed + "-q -o x.tsv --resume resume ";
  CHECK(run_shell(begun + "r.fa bad.fa", tmp.path()).exit_code == 1);
  const std::string kept = read_file(tmp.file("resume"));
  CHECK(kept.size() > 100000);
  for (const auto& [words, status, says] : std::vector<std::tuple<std::string, int, std::string>>{
           {"r.fa bad.fa --pool max", 2, "--pool is not what it was"},
           {"r.fa bad.fa --isa ref", 2, "--isa is not what it was"},
           {"r.fa", 1, "bad.fa: is not what it was"},
           {"r.fa other.fa", 1, "other.fa: is not what it was"},
           {"bad.fa r.fa", 1, "bad.fa: is not what it was"}}) {
    const auto result = run_shell(begun + words, tmp.path());
    INFO(words + ": " + result.err);
    CHECK(result.exit_code == status);
    CHECK(contains(result.err, says));
    CHECK(read_file(tmp.file("resume")) == kept);
  }
  const auto model = run_shell(
      "genomamba-embed -q -m small-random -o x.tsv --resume resume r.fa bad.fa", tmp.path());
  CHECK(model.exit_code == 2);
  CHECK(contains(model.err, "--model is not what it was"));
  tmp.write("bad.fa", ">x\nACGT\n");
  CHECK(contains(run_shell(begun + "r.fa bad.fa", tmp.path()).err, "bad.fa: is not what it was"));
}

TEST_CASE("What cannot be read again is refused with --resume, and no other file is harmed") {
  const TmpDir tmp;
  tmp.write("a.fa", ">a\nACGT\n");
  for (const std::string& command :
       Names{kEmbed + "- --resume resume < a.fa", kEmbed + "<(cat a.fa) --resume resume",
             kEmbed + "a.fa --resume a.fa", kEmbed + "a.fa --resume /dev/null",
             kEmbed + "a.fa -o x.tsv --resume x.tsv"}) {
    const auto result = run_shell(command, tmp.path());
    INFO(command + ": " + result.err);
    CHECK(result.exit_code == 2);
    CHECK(tmp.entries() == Names{"a.fa"});
  }
  tmp.write("notes.txt", "mine\n");
  const auto other = run_shell(kEmbed + "a.fa --resume notes.txt", tmp.path());
  CHECK(other.exit_code == 2);
  CHECK(contains(other.err, "notes.txt: is not a file of --resume"));
  CHECK(read_file(tmp.file("notes.txt")) == "mine\n");
  CHECK(read_file(tmp.file("a.fa")) == ">a\nACGT\n");
}
