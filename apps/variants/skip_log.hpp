// SPDX-License-Identifier: MIT
// SkipLog: what of the skipped ALTs is said on stderr.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "genomamba/core/log.hpp"
#include "genomamba/io/variant_record.hpp"
#include "genomamba/pipeline/variant_pipeline.hpp"

namespace genomamba::apps::variants {

class SkipLog {
 public:
  explicit SkipLog(LogSink& log) : log_(log) {}

  /// A line for the first ten ALTs of each reason.
  void add(const io::VariantRecord& record, std::span<const pipeline::VariantScore> scores);
  /// One line with the count of each reason, if there is any.
  void finish(const pipeline::VariantCounts& counts);

 private:
  LogSink& log_;
  std::array<std::uint64_t, pipeline::kVariantSkips> n_{};
};

}  // namespace genomamba::apps::variants
