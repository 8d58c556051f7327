// SPDX-License-Identifier: MIT
// Options that name an output, and the provenance lines that text outputs begin with.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace genomamba::apps {

struct OutputOptions {
  std::string path = "-";
  std::string format;  ///< empty: by the extension of path
  bool no_version = false;

  void add_to(CLI::App& app, const std::vector<std::string>& formats);
  /// format, or what the extension of path means: .npy, .h5ad, .tsv and .tsv.gz; none, "-", a
  /// device or FIFO: tsv. Throws UsageError for an unknown extension.
  std::string resolved_format() const;
};

/// The lines `genomamba=VERSION`, `model=NAME sha256:...`, `options=...` (result-changing options
/// only, in order).
std::vector<std::string> provenance_lines(
    const std::string& model_name, const std::string& weights_sha256,
    const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace genomamba::apps
