// SPDX-License-Identifier: MIT
// What genomamba-embed does.
#pragma once

#include "embed/options.hpp"

namespace genomamba::apps::embed {

/// The whole run; returns the exit status. Throws what run_main turns into one line and a status.
int run(Options& options);

}  // namespace genomamba::apps::embed
