// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/model_location.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "catch.hpp"
#include "genomamba/core/error.hpp"
#include "tmp_dir.hpp"

using namespace genomamba;  // NOLINT(google-build-using-namespace)
using genomamba::pipeline::locate_model;
using genomamba::test::TmpDir;

TEST_CASE("A path goes before a bundled name") {
  const TmpDir tmp;
  std::filesystem::create_directories(tmp.file("models/small"));
  tmp.write("models/small/config.json", "{}");
  CHECK(locate_model(tmp.path(), {}) == tmp.path());
  CHECK(locate_model("small", {tmp.file("nothing"), tmp.file("models")}) ==
        tmp.file("models/small"));
  CHECK_THROWS_AS(locate_model("other", {tmp.file("models")}), UsageError);
  CHECK_THROWS_AS(locate_model("./small", {tmp.file("models")}), UsageError);
}

TEST_CASE("hf: is looked up in the local cache, by branch and by commit") {
  const TmpDir tmp;
  const std::string repo = "models--lab--tiny-dna";
  std::filesystem::create_directories(tmp.file(repo + "/refs"));
  std::filesystem::create_directories(tmp.file(repo + "/snapshots/abc123"));
  tmp.write(repo + "/refs/main", "abc123");
  ::setenv("HF_HUB_CACHE", tmp.path().c_str(), 1);
  CHECK(locate_model("hf:lab/tiny-dna", {}) == tmp.file(repo + "/snapshots/abc123"));
  CHECK(locate_model("hf:lab/tiny-dna@abc123", {}) == tmp.file(repo + "/snapshots/abc123"));
  CHECK_THROWS_AS(locate_model("hf:lab/tiny-dna@v2", {}), UsageError);
  CHECK_THROWS_AS(locate_model("hf:lab/other", {}), UsageError);
  CHECK_THROWS_AS(locate_model("hf:lab", {}), UsageError);
  CHECK_THROWS_AS(locate_model("hf:../x@../y", {}), UsageError);
  ::unsetenv("HF_HUB_CACHE");
}
