// SPDX-License-Identifier: MIT
#include "common/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace genomamba::apps {

ProgressLine::ProgressLine(StderrLog& log, const std::string& mode, double interval_seconds,
                           bool quiet)
    : log_(log),
      is_terminal_(::isatty(STDERR_FILENO) == 1),
      enabled_(mode == "always" || (mode == "auto" && !quiet)),
      interval_seconds_(is_terminal_ ? 0.5 : interval_seconds),
      begin_(Clock::now()),
      last_(begin_) {
  if (interval_seconds_ <= 0) enabled_ = false;
}

bool ProgressLine::is_due() {
  if (!enabled_) return false;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - last_).count() < interval_seconds_) return false;
  last_ = now;
  return true;
}

void ProgressLine::show(const std::string& line) {
  if (is_terminal_) {
    log_.rewrite(line);
  } else {
    log_.write(LogLevel::kInfo, line);
  }
}

void ProgressLine::update(std::uint64_t n_records, std::uint64_t n_bases) {
  if (!is_due()) return;
  const double seconds = std::chrono::duration<double>(last_ - begin_).count();
  show(fmt::format("{} records, {} bases, {}", n_records, n_bases,
                   base_rate(static_cast<double>(n_bases) / seconds)));
}

void ProgressLine::update_bases(std::uint64_t n_done, std::uint64_t n_to_do) {
  if (!is_due() || n_done == 0) return;
  const double seconds = std::chrono::duration<double>(last_ - begin_).count();
  const double rate = static_cast<double>(n_done) / seconds;
  const auto left = static_cast<std::uint64_t>(static_cast<double>(n_to_do - n_done) / rate);
  show(fmt::format("{} of {} bases ({:.1f} %), {}, {}:{:02}:{:02} left", n_done, n_to_do,
                   100 * static_cast<double>(n_done) / static_cast<double>(n_to_do),
                   base_rate(rate), left / 3600, left / 60 % 60, left % 60));
}

std::string base_rate(double bases_per_second) {
  if (bases_per_second >= 1e6) return fmt::format("{:.2f} Mb/s", bases_per_second / 1e6);
  if (bases_per_second >= 1e3) return fmt::format("{:.2f} kb/s", bases_per_second / 1e3);
  return fmt::format("{:.2f} b/s", bases_per_second);
}

}  // namespace genomamba::apps
