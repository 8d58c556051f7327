// SPDX-License-Identifier: MIT
// The command line of genomamba-bench.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace genomamba::apps::bench {

struct Options {
  bool kernels = false;
  std::vector<std::string> only;  ///< kernels to measure; empty: all
  std::string model;              ///< empty: GENOMAMBA_MODEL, else the default, else none
  bool json = false;
  bool quick = false;
  double seconds = 2.0;  ///< about this long for one run of one input shape
  std::size_t runs = 3;  ///< of each input shape
  std::string threads;   ///< as in RuntimeOptions
  std::string isa = "auto";

  void add_to(CLI::App& app);
  /// End to end is measured when a model is named, and when nothing else is asked for.
  bool end_to_end() const noexcept { return !model.empty() || !kernels; }
};

}  // namespace genomamba::apps::bench
