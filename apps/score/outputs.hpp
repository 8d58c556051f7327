// SPDX-License-Identifier: MIT
// The outputs of genomamba-score, opened before and finished after the run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "genomamba/core/log.hpp"
#include "genomamba/io/score_writer.hpp"
#include "genomamba/pipeline/score_pipeline.hpp"
#include "score/options.hpp"

namespace genomamba::apps::score {

/// Checks names: extensions, {score} where several tracks are wanted, nothing named twice, no input
/// overwritten. Throws UsageError. Opens nothing.
void check_output_names(const Options& options, const std::vector<std::string>& inputs);

class Outputs {
 public:
  /// Throws OutputError, UsageError.
  Outputs(const Options& options, const io::ReferenceReader& reference,
          const std::vector<std::string>& provenance, LogSink& log);

  const pipeline::ScoreOutputs& all() const noexcept { return all_; }
  /// Completes every file, then gives them their names.
  void finish();

 private:
  std::vector<std::unique_ptr<io::ScoreOutput>> files_;
  pipeline::ScoreOutputs all_;
};

}  // namespace genomamba::apps::score
