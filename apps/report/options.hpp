// SPDX-License-Identifier: MIT
// The command line of genomamba-report.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "genomamba/report/report.hpp"

namespace genomamba::apps::report {

struct Options {
  genomamba::report::ReportOptions report;
  std::string output;
  std::string svg_dir;
  bool quiet = false;

  void add_to(CLI::App& app);
  /// Throws UsageError.
  void validate() const;
};

}  // namespace genomamba::apps::report
