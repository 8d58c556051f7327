// SPDX-License-Identifier: MIT
// The outputs of genomamba-variants, opened before and finished after the run.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/io/score_writer.hpp"
#include "genomamba/io/variant_file.hpp"
#include "genomamba/io/variant_table.hpp"
#include "genomamba/pipeline/variant_pipeline.hpp"
#include "genomamba/pipeline/variant_saturation.hpp"
#include "variants/options.hpp"

namespace genomamba::apps::variants {

class Outputs {
 public:
  /// `saturated`: the regions of --saturation. Throws OutputError, UsageError.
  Outputs(const Options& options, const io::VariantHeader& header,
          const std::vector<std::string>& provenance, const io::ReferenceReader& reference,
          std::span<const io::Region> saturated, LogSink& log);

  void write(io::VariantRecord& record, std::span<const pipeline::VariantScore> scores);
  /// Completes every file, then gives them their names.
  void finish();

 private:
  std::optional<io::VariantWriter> variants_;
  std::optional<io::VariantTable> table_;
  std::unique_ptr<io::ScoreTableWriter> npy_;
  std::optional<pipeline::SaturationMatrix> matrix_;
  std::vector<float> llr_;
  std::vector<std::string_view> skip_;
};

}  // namespace genomamba::apps::variants
