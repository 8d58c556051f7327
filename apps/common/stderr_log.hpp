// SPDX-License-Identifier: MIT
// StderrLog: the library's remarks as lines on stderr, under the app's name.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "genomamba/core/log.hpp"

namespace genomamba::apps {

/// `verbosity`: -1 quiet (warnings only), 0 info, 1 debug. Thread-safe. A progress line on a
/// terminal is wiped first.
class StderrLog final : public LogSink {
 public:
  StderrLog(std::string name, int verbosity) : name_(std::move(name)), verbosity_(verbosity) {}

  void write(LogLevel level, std::string_view line) override;
  /// The warnings so far, at most a hundred of them.
  std::vector<std::string> warnings() const;
  /// A line that is rewritten by the next one (a terminal only).
  void rewrite(std::string_view line);

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> warnings_;
  std::string name_;
  int verbosity_;
  bool has_progress_line_ = false;
};

}  // namespace genomamba::apps
