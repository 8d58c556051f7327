// SPDX-License-Identifier: MIT
// The command line of genomamba-split.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace genomamba::apps::split {

struct Options {
  std::string reference;
  std::string fai;
  std::vector<std::string> bed_paths;
  std::size_t n_shards = 0;
  std::uint64_t max_piece = 0;  ///< 0: regions are kept whole
  std::string directory;
  bool clip = false;
  bool quiet = false;

  void add_to(CLI::App& app);
};

}  // namespace genomamba::apps::split
