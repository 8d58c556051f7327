// SPDX-License-Identifier: MIT
// RunReport: the JSON of --report: what was run, on what, how fast, how it ended. Written on
// failure too.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace genomamba::apps {

/// Filled by an app as it goes; write() adds times, memory and the exit status.
struct RunReport {
  std::string app;
  std::string isa;
  std::size_t n_threads = 0;
  std::string model_name;
  std::string config_sha256;
  std::string weights_sha256;
  std::vector<std::string> inputs;
  std::map<std::string, std::uint64_t> counts;    ///< n_in, n_rows, n_ok, n_bases, ...
  std::map<std::string, std::uint64_t> filtered;  ///< by reason
  std::map<std::string, std::uint64_t> failed;    ///< by status
  std::map<std::string, std::string> notes;       ///< what a reader of the values has to know
  std::vector<std::string> warnings;              ///< remarks on the inputs
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

  /// The report as text; `error` is empty on success.
  std::string to_json(int exit_status, const std::string& error) const;
};

/// What a signal leaves under --report from now on: this report as it is. A call within a second of
/// the last one does nothing. One thread at a time.
void publish_report(const RunReport& report);

/// Peak resident memory of this process so far, in bytes.
std::uint64_t peak_rss_bytes();

/// Writes a whole file, or nothing (the app passes what io offers).
using WriteFile = std::function<void(const std::string& path, const std::string& text)>;

/// The value of --report among the words of a command line that could not be parsed; empty: none.
std::string find_report_path(const std::vector<std::string>& words);

/// Calls `body`, then writes the report to `path` (if not empty) with the exit status, also when
/// body throws, and when a signal ends the process (as last published); the exception goes on. An
/// error of the body outweighs one of the report.
int run_with_report(RunReport& report, const std::string& path, const WriteFile& write_file,
                    const std::function<int()>& body);

}  // namespace genomamba::apps
