// SPDX-License-Identifier: MIT
// What genomamba-split does with its options.
#pragma once

#include "split/options.hpp"

namespace genomamba::apps::split {

/// Returns the exit status. Throws Error.
int run(const Options& options);

}  // namespace genomamba::apps::split
