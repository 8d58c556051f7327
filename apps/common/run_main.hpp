// SPDX-License-Identifier: MIT
// run_main: from argv to an exit status: options, errors (by guarded), signals.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace genomamba::apps {

/// What an app gives to run_main.
struct AppDefinition {
  std::string name;     ///< "genomamba-embed"
  std::string summary;  ///< one sentence, shown by --help
  /// Adds options to the parser; nothing is opened or read here.
  std::function<void(CLI::App&)> add_options;
  /// Checks what the parser cannot and does the work; returns the exit status.
  std::function<int()> run;
  /// Called from the signal handler before the process ends: removes temporary files.
  /// Async-signal-safe. May be null.
  void (*cleanup)() noexcept = nullptr;
};

/// Parses, runs and ends an app. 0 success, 1 data or run-time error, 2 usage error, 141 when
/// stdout's reader went away, 130/143 after SIGINT/SIGTERM. An error is one line on stderr: `NAME:
/// error: ...`.
int run_main(int argc, char** argv, const AppDefinition& app);

/// The words of the command line, for the report.
const std::vector<std::string>& command_line();

}  // namespace genomamba::apps
