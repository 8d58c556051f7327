// SPDX-License-Identifier: MIT
// The command line of genomamba-score.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "common/model_options.hpp"
#include "common/runtime_options.hpp"
#include "genomamba/pipeline/score_options.hpp"

namespace genomamba::apps::score {

struct Options {
  ModelOptions model;
  RuntimeOptions runtime;
  pipeline::ScoreOptions
      score;  ///< what the pipeline needs; words below are turned into it by validate()

  std::string reference;
  std::string fai;
  std::vector<std::string> regions;    ///< -r
  std::vector<std::string> bed_paths;  ///< -R
  bool clip = false;

  std::string tsv;
  std::string bedgraph;
  std::string bigwig;
  std::string npy;
  int precision = 4;
  bool no_version = false;

  std::string kinds = "logp";
  std::string method;
  std::string strand = "forward";
  std::string context;
  std::string mask_spacing;
  std::string overlap;

  void add_to(CLI::App& app);
  /// Checks and translates the words. Throws UsageError. Opens nothing.
  void validate();
};

}  // namespace genomamba::apps::score
