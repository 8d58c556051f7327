// SPDX-License-Identifier: MIT
// scripts/check_published_numbers.sh: says what is absent, and does not pass a model that is
// another.
#include <string>

#include "catch.hpp"
#include "run_app.hpp"
#include "tmp_dir.hpp"

using genomamba::test::run_shell;
using genomamba::test::TmpDir;

namespace {

const std::string kRoot = GENOMAMBA_SOURCE_DIR;
const std::string kScript = kRoot + "/scripts/check_published_numbers.sh ";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Published numbers: absent weights are named, and the status is not that of success") {
  const TmpDir tmp;
  const auto result = run_shell(kScript + tmp.path());
  CHECK(result.exit_code == 3);
  CHECK(result.out.empty());
  for (const char* name : {"caduceus-ph_seqlen-1k", "caduceus-ps_seqlen-131k", "PlantCaduceus_l32",
                           "PlantCaduceus_l20", "4 of 4 models were not checked"})
    CHECK(contains(result.err, name));
  CHECK(run_shell(kScript).exit_code == 2);
  CHECK(run_shell(kScript + tmp.file("none")).exit_code == 2);
}

TEST_CASE("Published numbers: other weights under a published name are wrong") {
  const TmpDir tmp;
  const std::string golden = kRoot + "/tests/golden/data/";
  const auto copied = run_shell("mkdir kuleshov-group && cp -r " + golden +
                                    "plantcaduceus-tiny kuleshov-group/PlantCaduceus_l20 && "
                                    "cp -r " +
                                    golden + "caduceus-ps-fused PlantCaduceus_l32",
                                tmp.path());
  REQUIRE(copied.exit_code == 0);
  const auto result = run_shell(kScript + tmp.path());
  CHECK(result.exit_code == 1);
  CHECK(contains(result.err, "WRONG:  kuleshov-group/PlantCaduceus_l32"));
  CHECK(contains(result.err, "64 numbers, published 2048"));
  CHECK(contains(result.err, "WRONG:  kuleshov-group/PlantCaduceus_l20"));
  CHECK(contains(result.err, "published 0.96960527"));
}
