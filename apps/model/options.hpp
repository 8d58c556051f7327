// SPDX-License-Identifier: MIT
// The command line of genomamba-model: info, verify, init.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace genomamba::apps::model_app {

struct Options {
  enum class Command { kInfo, kVerify, kInit };
  Command command = Command::kInfo;

  std::string model;  ///< info, verify
  std::string isa = "auto";

  bool json = false;  ///< info

  std::string expected_path;  ///< verify
  double atol = 1e-4;

  std::string family;  ///< init
  std::string config_path;
  std::uint64_t seed = 0;
  std::string output_dir;

  void add_to(CLI::App& app);
};

}  // namespace genomamba::apps::model_app
