// SPDX-License-Identifier: MIT
// What genomamba-variants does with its options.
#pragma once

#include "variants/options.hpp"

namespace genomamba::apps::variants {

/// Returns the exit status. Throws Error.
int run(Options& options);

}  // namespace genomamba::apps::variants
