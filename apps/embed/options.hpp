// SPDX-License-Identifier: MIT
// The command line of genomamba-embed.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "common/model_options.hpp"
#include "common/output_options.hpp"
#include "common/runtime_options.hpp"
#include "genomamba/pipeline/embed_options.hpp"

namespace genomamba::apps::embed {

struct Options {
  ModelOptions model;
  OutputOptions output;
  RuntimeOptions runtime;
  pipeline::EmbedOptions
      embed;  ///< what the pipeline needs; words below are turned into it by validate()

  std::string pool = "mean";
  std::string layer = "last";
  std::string strand;  ///< empty: forward, or concat for an RC-equivariant model
  std::string rows = "record";
  std::string dtype = "f32";
  std::string exclude_flags = "2304";
  std::string tracks_path;
  std::string resume_path;
  bool pairs = false;
  bool interleaved = false;
  bool strict = false;

  void add_to(CLI::App& app);
  /// Checks and translates the words. Throws UsageError. Opens nothing.
  void validate();
};

}  // namespace genomamba::apps::embed
