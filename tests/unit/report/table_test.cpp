// SPDX-License-Identifier: MIT
// Row tables and labels.
#include <string>
#include <vector>

#include "catch.hpp"
#include "genomamba/core/error.hpp"
#include "label_table.hpp"
#include "row_columns.hpp"
#include "tmp_dir.hpp"

using genomamba::InputError;
using genomamba::report::read_labels;
using genomamba::report::read_row_columns;
using genomamba::test::TmpDir;

namespace {
const std::vector<std::string> kIds = {"r1", "r2", "r1", "r3"};
}

TEST_CASE("A row table gives its ids, the columns asked for, and what made it") {
  const TmpDir tmp;
  const auto path =
      tmp.write("x", "##model=m\n#row\tid\tlength\toffset\n0\tr1\t5\t0\n1\tr2\t7\t5\n");
  const auto table = read_row_columns(path, {"length", "no such"});
  CHECK(table.ids == std::vector<std::string>{"r1", "r2"});
  CHECK(table.values.at("length") == std::vector<std::string>{"5", "7"});
  CHECK(table.values.count("no such") == 0);
  CHECK(table.offsets == std::vector<std::size_t>{0, 5});
  CHECK(table.provenance == std::vector<std::string>{"model=m"});
}

TEST_CASE("A row table that is damaged is an error with its line") {
  const TmpDir tmp;
  const std::string header = "#row\tid\toffset\n";
  try {
    read_row_columns(tmp.write("x", header + "0\tr1\n"), {});
    FAIL("a row with too few fields was taken");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("line 2") != std::string::npos);
  }
  CHECK_THROWS_AS(read_row_columns(tmp.write("x", header + "0\tr1\t5\n1\tr2\t3\n"), {}),
                  InputError);
  CHECK_THROWS_AS(read_row_columns(tmp.write("x", "#row\tname\n"), {}), InputError);
  CHECK_THROWS_AS(read_row_columns(tmp.write("x", ""), {}), InputError);
}

TEST_CASE("Labels are joined by id, with a header line or without") {
  const TmpDir tmp;
  const auto with =
      read_labels(tmp.write("x", "id\tspecies\tn\nr2\tE. coli\t1\nr1\t<b>\t2\nzz\tq\t3\n"), kIds);
  CHECK(with.columns == std::vector<std::string>{"species", "n"});
  CHECK(with.values.at("species") == std::vector<std::string>{"<b>", "E. coli", "<b>", ""});
  CHECK(with.n_unlabelled == 1);
  CHECK(with.n_unused == 1);
  const auto without = read_labels(tmp.write("y", "r3\ta\nr1\tb\n"), kIds);
  CHECK(without.columns == std::vector<std::string>{"label"});
  CHECK(without.values.at("label") == std::vector<std::string>{"b", "", "b", "a"});
}

TEST_CASE("Labels that contradict themselves, or fit nothing, are an error") {
  const TmpDir tmp;
  const auto error = [&](const std::string& bytes) {
    CHECK_THROWS_AS(read_labels(tmp.write("x", bytes), kIds), InputError);
  };
  error("id\tlabel\nr1\ta\nr1\tb\n");
  error("id\tlabel\nr1\ta\tb\n");
  error("id\tlabel\nr9\ta\n");
  error("r1\n");
  error("");
  error("id\ta\ta\nr1\t1\t2\n");
}
