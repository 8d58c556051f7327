// SPDX-License-Identifier: MIT
// run_app: starts a built executable and returns what it printed and how it ended.
#pragma once

#include <string>
#include <vector>

namespace genomamba::test {

struct AppResult {
  int exit_code = -1;  ///< exit status; 128 + signal number when a signal ended it
  std::string out;
  std::string err;
};

/// Runs `bash -c command` with the apps' folder first in PATH, in `work_dir` (empty: the current
/// one), stdin empty. For pipes, redirections, signals.
AppResult run_shell(const std::string& command, const std::string& work_dir = "");

/// Runs one app with these arguments, e.g. run_app({"genomamba", "embed", "x.fa"}).
AppResult run_app(const std::vector<std::string>& arguments, const std::string& work_dir = "");

}  // namespace genomamba::test
