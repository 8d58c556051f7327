// SPDX-License-Identifier: MIT
// Where a model named on the command line lies. Never a network request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace genomamba::pipeline {

/// The model every app uses when none is named.
inline constexpr std::string_view kDefaultModel = "microbe-causal";

/// Finds `spec`: a directory, a weight file, the name of a model under one of `bundled_dirs`, or
/// `hf:ORG/NAME[@REV]` in the local Hugging Face cache (HF_HUB_CACHE, else HF_HOME/hub, else
/// ~/.cache/huggingface/hub). Returns a path for checkpoint::open_model_directory. Throws
/// UsageError that says what was looked for.
std::string locate_model(std::string_view spec, const std::vector<std::string>& bundled_dirs);

/// Folders of bundled models beside the running executable (installed or in the build tree).
std::vector<std::string> bundled_model_dirs();

/// True if `path`, as locate_model gives it, lies in one of bundled_model_dirs().
bool is_bundled(std::string_view path);

}  // namespace genomamba::pipeline
