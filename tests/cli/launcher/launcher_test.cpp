// SPDX-License-Identifier: MIT
#include <string>

#include "catch.hpp"
#include "genomamba/core/version.hpp"
#include "run_app.hpp"

using genomamba::kVersion;
using genomamba::test::run_app;
using genomamba::test::run_shell;

TEST_CASE(
    "Option --version is one line, --version-only a bare number, of the launcher and of each app") {
  for (const char* program : {"genomamba", "genomamba-embed", "genomamba-model"}) {
    const auto version = run_app({program, "--version"});
    CHECK(version.exit_code == 0);
    CHECK(version.out == "genomamba " + std::string(kVersion) + "\n");
    CHECK(run_app({program, "--version-only"}).out == std::string(kVersion) + "\n");
  }
}

TEST_CASE("version tells how the program was built") {
  const auto result = run_app({"genomamba", "version"});
  CHECK(result.exit_code == 0);
  for (const char* word : {"git:", "compiler:", "kernels built:", "kernels chosen:", "htslib",
                           "Eigen", "xsimd", "oneTBB", "CLI11"}) {
    CHECK(result.out.find(word) != std::string::npos);
  }
}

TEST_CASE("genomamba APP is genomamba-APP, and help APP its help") {
  CHECK(run_app({"genomamba", "embed", "--help"}).out ==
        run_app({"genomamba-embed", "--help"}).out);
  CHECK(run_app({"genomamba", "help", "embed"}).out == run_app({"genomamba-embed", "--help"}).out);
  CHECK(run_app({"genomamba", "--help"}).out == run_app({"genomamba", "help"}).out);
}

TEST_CASE("An app that does not exist and no app at all are usage errors") {
  const auto unknown = run_app({"genomamba", "embedd"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err == "genomamba: error: no app 'embedd' (see genomamba --help)\n");
  CHECK(run_app({"genomamba"}).exit_code == 2);
}

TEST_CASE("Help and version check that stdout took them") {
  for (const char* command : {"genomamba --help", "genomamba --version", "genomamba version",
                              "genomamba-embed --help", "genomamba-embed --version"}) {
    const auto full = run_shell(std::string(command) + " > /dev/full");
    CHECK(full.exit_code == 1);
    CHECK(full.err.find("error: stdout: cannot write: No space left on device") !=
          std::string::npos);
    CHECK(run_shell(std::string(command) + " >&-").exit_code == 1);
  }
}

TEST_CASE("An exit status of the app is the launcher's") {
  CHECK(run_app({"genomamba", "embed", "/nonexistent.fa"}).exit_code == 1);
  CHECK(run_app({"genomamba", "embed", "--no-such-option"}).exit_code == 2);
}
