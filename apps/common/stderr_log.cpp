// SPDX-License-Identifier: MIT
#include "common/stderr_log.hpp"

#include <unistd.h>

namespace genomamba::apps {
namespace {

constexpr std::string_view kWipe = "\r\x1b[K";

void put(const std::string& text) {
  // Nothing can be done when stderr itself is gone.
  const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

}  // namespace

void StderrLog::write(LogLevel level, std::string_view line) {
  if (level == LogLevel::kDebug && verbosity_ < 1) return;
  if (level == LogLevel::kInfo && verbosity_ < 0) return;
  std::string text = name_ + (level == LogLevel::kWarning ? ": warning: " : ": ");
  text.append(line).append("\n");
  const std::lock_guard lock(mutex_);
  if (has_progress_line_) text.insert(0, kWipe);
  has_progress_line_ = false;
  constexpr std::size_t kMaxWarnings = 100;
  if (level == LogLevel::kWarning && warnings_.size() < kMaxWarnings) warnings_.emplace_back(line);
  put(text);
}

std::vector<std::string> StderrLog::warnings() const {
  const std::lock_guard lock(mutex_);
  return warnings_;
}

void StderrLog::rewrite(std::string_view line) {
  const std::lock_guard lock(mutex_);
  put(std::string(kWipe).append(name_).append(": ").append(line));
  has_progress_line_ = true;
}

}  // namespace genomamba::apps
