// SPDX-License-Identifier: MIT
// genomamba score: what a signal leaves behind.
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "tmp_dir.hpp"

using genomamba::test::read_file;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

std::string contig(std::size_t n) {
  std::string letters;
  for (std::size_t i = 0; i < n; ++i)
    letters += "ACGTTGCAAGTC"[i * i * 7 % 12];
  return ">c\n" + letters + "\n";
}

}  // namespace

TEST_CASE("A run that a signal ends leaves no output, and a report that says how far it came") {
  for (const std::string signal : {"INT", "TERM"}) {
    const TmpDir tmp;
    tmp.write("r.fa", contig(20'000'000));
    // The signal comes when much has been written, and the report has had time to follow.
    const auto result = run_shell(
        "set -m; genomamba-score -q -m small-random -f r.fa --tsv t.tsv --bedgraph t.bedgraph.gz "
        "--bigwig t.bw --npy t.npy --report report.json & p=$!; sleep 2; until [ -n \"$(find . "
        "-name '.*' "
        "-type f -size +8M)\" ]; do kill -0 $p || exit 1; sleep 0.2; done; kill -" +
            signal + " $p; wait $p",
        tmp.path());
    INFO(result.err);
    CHECK(result.exit_code == (signal == "INT" ? 130 : 143));
    CHECK(tmp.entries() == std::vector<std::string>{"r.fa", "report.json"});
    const std::string report = read_file(tmp.file("report.json"));
    CHECK(report.find("interrupted by a signal") != std::string::npos);
    CHECK(report.find("\"positions\": 0,") == std::string::npos);
    CHECK(report.find("\"positions\": ") != std::string::npos);
  }
}
