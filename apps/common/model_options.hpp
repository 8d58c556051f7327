// SPDX-License-Identifier: MIT
// Options that choose the model and how letters become tokens.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "genomamba/core/nucleotide.hpp"

namespace genomamba::apps {

struct ModelOptions {
  std::string model;      ///< text of --model; empty: GENOMAMBA_MODEL, else the default
  std::string tokenizer;  ///< an alphabet's name or a file; empty: the model's own
  std::string letters = "standard";

  void add_to(CLI::App& app);
  /// --model, else GENOMAMBA_MODEL, else `default_model`.
  std::string model_or(const std::string& default_model) const;
  LetterPolicy letter_policy() const noexcept {
    return letters == "exact" ? LetterPolicy::kExact : LetterPolicy::kStandard;
  }
};

}  // namespace genomamba::apps
