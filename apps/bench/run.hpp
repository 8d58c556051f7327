// SPDX-License-Identifier: MIT
#pragma once

#include "bench/options.hpp"

namespace genomamba::apps::bench {

/// Measures what the options ask for and prints it; returns the exit status.
int run(const Options& options);

}  // namespace genomamba::apps::bench
