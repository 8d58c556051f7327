// SPDX-License-Identifier: MIT
// The command line of genomamba-variants.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "common/model_options.hpp"
#include "common/runtime_options.hpp"
#include "genomamba/io/variant_file.hpp"
#include "genomamba/pipeline/variant_options.hpp"

namespace genomamba::apps::variants {

struct Options {
  ModelOptions model;
  RuntimeOptions runtime;
  pipeline::VariantOptions
      variants;  ///< what the pipeline needs; words below are turned into it by validate()

  std::string input;
  std::string reference;
  std::string fai;
  std::vector<std::string> regions;     ///< -r
  std::vector<std::string> bed_paths;   ///< -R
  std::vector<std::string> saturation;  ///< --saturation

  std::string output;  ///< empty: none but --npy
  std::string output_type;
  bool write_index = false;
  std::string table;
  std::string npy;
  bool no_version = false;
  bool strict = false;

  std::string convention = "centred";
  std::string strand = "forward";
  std::string flank;
  std::string converge;

  void add_to(CLI::App& app);
  /// Checks and translates the words. Throws UsageError. Opens nothing.
  void validate();
  /// By -O, else by the name. Throws UsageError: an extension that is none of VCF or BCF.
  io::VariantFormat format() const;
};

}  // namespace genomamba::apps::variants
