// SPDX-License-Identifier: MIT
// The same bytes whatever the threads, batches and order of work.
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"
#include "tmp_dir.hpp"

using genomamba::test::read_file;
using genomamba::test::run_shell;
using genomamba::test::TmpDir;

TEST_CASE("Real reads: the same files for any threads and batch size") {
  const TmpDir tmp;
  const std::string reads =
      std::string(GENOMAMBA_SOURCE_DIR) + "/data/sequences/klebsiella_nanopore.fastq.gz";
  const std::string embed = "genomamba embed -q -m tiny-random " + reads + " -o x.npy ";
  REQUIRE(run_shell(embed + "-@ 1", tmp.path()).exit_code == 0);
  const std::string matrix = read_file(tmp.file("x.npy"));
  const std::string rows = read_file(tmp.file("x.rows.tsv.gz"));
  CHECK(matrix.size() > 1000);
  for (const std::string variant : {"-@ 2", "-@ 2 --batch-tokens 64", "-@ 1 --batch-tokens 1000",
                                    "-@ 2 --batch-tokens 32768", "--memory 200M"}) {
    INFO(variant);
    REQUIRE(run_shell(embed + variant, tmp.path()).exit_code == 0);
    CHECK(read_file(tmp.file("x.npy")) == matrix);
    CHECK(read_file(tmp.file("x.rows.tsv.gz")) == rows);
  }
}
