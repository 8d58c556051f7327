// SPDX-License-Identifier: MIT
// What genomamba-score does with its options.
#pragma once

#include "score/options.hpp"

namespace genomamba::apps::score {

/// Returns the exit status. Throws Error.
int run(Options& options);

}  // namespace genomamba::apps::score
