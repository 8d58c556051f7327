// SPDX-License-Identifier: MIT
#include "genomamba/core/error.hpp"

#include <cerrno>
#include <string>

#include "catch.hpp"

using namespace genomamba;  // NOLINT(google-build-using-namespace)

TEST_CASE("Messages name path, place and reason in one line") {
  CHECK(std::string(InputError("reads.fq", "record 3 (r3)", "quality too short").what()) ==
        "reads.fq: record 3 (r3): quality too short");
  CHECK(std::string(InputError("reads.fq", "", "no such file").what()) == "reads.fq: no such file");
  CHECK(std::string(OutputError("out.npy", "cannot write", ENOSPC).what()) ==
        "out.npy: cannot write: No space left on device");
}

TEST_CASE("Each error knows its exit status") {
  CHECK(UsageError("x").exit_code() == 2);
  CHECK(InputError("a", "b", "c").exit_code() == 1);
  CHECK(CheckpointError("a", "b", "c").exit_code() == 1);
  CHECK(OutputError("a", "b").exit_code() == 1);
  CHECK(BrokenPipe().exit_code() == 141);
}
