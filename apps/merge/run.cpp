// SPDX-License-Identifier: MIT
#include "merge/run.hpp"

#include <fmt/format.h>

#include "common/stderr_log.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/output_file.hpp"
#include "genomamba/io/score_merge.hpp"

namespace genomamba::apps::merge {

int run(const Options& options) {
  StderrLog log("genomamba-merge", options.quiet ? -1 : 0);
  for (const std::string& shard : options.shards) {
    for (const std::string& output : {options.output, options.bigwig}) {
      if (output != "-" && !output.empty() && io::is_same_file(shard, output)) {
        throw UsageError(output + ": is an input and an output at once");
      }
    }
  }
  const io::MergeCounts counts = io::merge_scores({.output = options.output,
                                                   .bigwig = options.bigwig,
                                                   .fai = options.fai,
                                                   .shards = options.shards,
                                                   .log = &log});
  log.write(LogLevel::kInfo, fmt::format("{} shards, {} rows", counts.n_shards, counts.n_rows));
  return 0;
}

}  // namespace genomamba::apps::merge
