// SPDX-License-Identifier: MIT
// A reader that goes away, and signals: a quiet or clean end, no half-written output.
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "tmp_dir.hpp"

using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

/// Enough work for a second or more.
std::string many_reads() {
  std::string text;
  for (int i = 0; i < 200000; ++i)
    text += ">r" + std::to_string(i) + "\nACGTTGCAACGTACCGATTGACGTTGCA\n";
  return text;
}

}  // namespace

TEST_CASE("A pipe whose reader ends gives 141 without a word") {
  const TmpDir tmp;
  tmp.write("many.fa", many_reads());
  const auto result = run_shell(
      "set -o pipefail; genomamba embed -q -m tiny-random many.fa | head -n 5 > head.txt; exit "
      "${PIPESTATUS[0]}",
      tmp.path());
  CHECK(result.exit_code == 141);
  CHECK(result.err.empty());
}

TEST_CASE("SIGINT and SIGTERM remove the temporary files and end with 130 and 143") {
  const TmpDir tmp;
  tmp.write("many.fa", many_reads());
  for (const auto& [signal, status] :
       std::vector<std::pair<std::string, int>>{{"INT", 130}, {"TERM", 143}}) {
    // A background job of a script ignores SIGINT unless job control is on.
    const auto result = run_shell(
        "set -m; genomamba embed -q -m tiny-random -@ 1 --isa ref many.fa -o x.npy & "
        "p=$!; sleep 0.5; kill -" +
            signal + " $p; wait $p",
        tmp.path());
    CHECK(result.exit_code == status);
    CHECK(tmp.entries() == std::vector<std::string>{"many.fa"});
  }
}

TEST_CASE("SIGKILL leaves nothing under the final name") {
  const TmpDir tmp;
  tmp.write("many.fa", many_reads());
  run_shell(
      "genomamba embed -q -m tiny-random -@ 1 --isa ref many.fa -o x.npy & p=$!; sleep 0.5; kill "
      "-KILL $p; wait $p",
      tmp.path());
  for (const std::string& name : tmp.entries()) {
    CHECK(name != "x.npy");
    CHECK(name != "x.rows.tsv.gz");
  }
}
