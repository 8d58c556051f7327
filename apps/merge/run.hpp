// SPDX-License-Identifier: MIT
// What genomamba-merge does with its options.
#pragma once

#include "merge/options.hpp"

namespace genomamba::apps::merge {

/// Returns the exit status. Throws Error.
int run(const Options& options);

}  // namespace genomamba::apps::merge
