// SPDX-License-Identifier: MIT
// The command line of genomamba-merge.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace genomamba::apps::merge {

struct Options {
  std::vector<std::string> shards;
  std::string output;
  std::string bigwig;
  std::string fai;
  bool quiet = false;

  void add_to(CLI::App& app);
};

}  // namespace genomamba::apps::merge
