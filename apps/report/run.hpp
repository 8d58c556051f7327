// SPDX-License-Identifier: MIT
// What genomamba-report does with its options.
#pragma once

#include "report/options.hpp"

namespace genomamba::apps::report {

/// Returns the exit status. Throws Error.
int run(const Options& options);

}  // namespace genomamba::apps::report
