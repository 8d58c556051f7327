// SPDX-License-Identifier: MIT
// What genomamba-model does.
#pragma once

#include "model/options.hpp"

namespace genomamba::apps::model_app {

/// Runs the chosen subcommand; returns the exit status: 1 when verify finds a difference above the
/// tolerance.
int run(const Options& options);

}  // namespace genomamba::apps::model_app
