// SPDX-License-Identifier: MIT
// LogSink: where the library's remarks go. The library never prints; an app gives it a sink.
#pragma once

#include <string_view>

namespace genomamba {

enum class LogLevel { kDebug, kInfo, kWarning };

/// Receives one line at a time, without a line end. Calls may come from any thread.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void write(LogLevel level, std::string_view line) = 0;
};

/// A sink that drops everything: the default wherever a LogSink& is wanted.
LogSink& silent_log() noexcept;

}  // namespace genomamba
