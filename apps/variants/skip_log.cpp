// SPDX-License-Identifier: MIT
#include "variants/skip_log.hpp"

#include <fmt/format.h>

#include <string>

namespace genomamba::apps::variants {
namespace {

constexpr std::uint64_t kDetailed = 10;

}  // namespace

void SkipLog::add(const io::VariantRecord& record, std::span<const pipeline::VariantScore> scores) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].skip == pipeline::VariantSkip::kNone) continue;
    if (++n_[static_cast<std::size_t>(scores[i].skip)] > kDetailed) continue;
    std::string line = record.describe();
    if (record.n_alts() > 1) line += fmt::format(" ALT {}", i + 1);
    line += fmt::format(": {}", pipeline::to_string(scores[i].skip));
    if (!scores[i].detail.empty()) line += ": " + scores[i].detail;
    log_.write(LogLevel::kInfo, line);
  }
}

void SkipLog::finish(const pipeline::VariantCounts& counts) {
  std::string reasons;
  for (std::size_t s = 1; s < pipeline::kVariantSkips; ++s) {
    if (counts.n_skipped[s] == 0) continue;
    reasons += fmt::format("{} {} {}", reasons.empty() ? "" : ",",
                           pipeline::to_string(static_cast<pipeline::VariantSkip>(s)),
                           counts.n_skipped[s]);
  }
  if (reasons.empty()) return;
  log_.write(LogLevel::kWarning,
             fmt::format("{} of {} ALTs have no score:{}", counts.n_alts - counts.n_scored,
                         counts.n_alts, reasons));
}

}  // namespace genomamba::apps::variants
