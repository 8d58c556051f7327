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

void ProgressLine::update(std::uint64_t n_records, std::uint64_t n_bases) {
  if (!enabled_) return;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - last_).count() < interval_seconds_) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const std::string line = fmt::format("{} records, {} bases, {}", n_records, n_bases,
                                       base_rate(static_cast<double>(n_bases) / seconds));
  if (is_terminal_) {
    log_.rewrite(line);
  } else {
    log_.write(LogLevel::kInfo, line);
  }
}

std::string base_rate(double bases_per_second) {
  if (bases_per_second >= 1e6) return fmt::format("{:.2f} Mb/s", bases_per_second / 1e6);
  if (bases_per_second >= 1e3) return fmt::format("{:.2f} kb/s", bases_per_second / 1e3);
  return fmt::format("{:.2f} b/s", bases_per_second);
}

}  // namespace genomamba::apps
