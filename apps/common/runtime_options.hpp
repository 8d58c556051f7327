// SPDX-License-Identifier: MIT
// Options of every app that computes: threads, memory, ISA, progress, verbosity, report, dry run.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>

namespace genomamba::apps {

struct RuntimeOptions {
  std::string threads;  ///< text, empty if not given; see resolve_thread_count
  std::string memory;   ///< text such as "4G", empty if not given
  std::string isa = "auto";
  std::string progress = "auto";
  double log_interval_seconds = 60;
  bool quiet = false;
  bool verbose = false;
  std::string report_path;
  bool dry_run = false;

  void add_to(CLI::App& app);
  int verbosity() const noexcept { return verbose ? 1 : quiet ? -1 : 0; }
};

/// "300M", "4G", "1.5g", "1048576": bytes (powers of 1024). Throws UsageError.
std::size_t parse_size(const std::string& text, const std::string& name);

}  // namespace genomamba::apps
