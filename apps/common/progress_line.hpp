// SPDX-License-Identifier: MIT
// ProgressLine: how far a run is, on stderr: one rewritten line on a terminal, a plain line now and
// then otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "common/stderr_log.hpp"

namespace genomamba::apps {

/// One thread at a time.
class ProgressLine {
 public:
  /// `mode`: "auto", "always", "never" (--progress); `interval_seconds`: between plain lines, 0:
  /// none.
  ProgressLine(StderrLog& log, const std::string& mode, double interval_seconds, bool quiet);

  /// Records and bases done so far.
  void update(std::uint64_t n_records, std::uint64_t n_bases);
  /// Bases done of those to do, with rate and time left.
  void update_bases(std::uint64_t n_done, std::uint64_t n_to_do);

 private:
  /// True if it is time for a line.
  bool is_due();
  void show(const std::string& line);

  using Clock = std::chrono::steady_clock;

  StderrLog& log_;
  bool is_terminal_;
  bool enabled_;
  double interval_seconds_;
  Clock::time_point begin_;
  Clock::time_point last_;
};

/// "1.23 Mb/s": a rate of bases, for people.
std::string base_rate(double bases_per_second);

}  // namespace genomamba::apps
