// SPDX-License-Identifier: MIT
// The regions that genomamba-score is asked for.
#pragma once

#include <string>
#include <vector>

#include "genomamba/core/log.hpp"
#include "genomamba/io/reference_reader.hpp"
#include "genomamba/io/region.hpp"
#include "score/options.hpp"

namespace genomamba::apps::score {

struct Inputs {
  std::vector<io::Region> regions;
  /// "1-of-7 HASH" of shards that `genomamba split` made, if they are not all there: the outputs
  /// then say of which.
  std::vector<std::string> shards;
};

/// -r in order, then -R in order; neither: the whole reference. Throws UsageError, InputError.
Inputs read_inputs(const Options& options, const io::ReferenceReader& reference, LogSink& log);

}  // namespace genomamba::apps::score
