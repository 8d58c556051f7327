// SPDX-License-Identifier: MIT
// What a report says about runs: the JSON of --report. Private to report.
#pragma once

#include <string>
#include <vector>

#include "html.hpp"

namespace genomamba::report {

/// A table of all runs, then each in full. Throws InputError: no JSON, another schema.
Section run_section(const std::vector<std::string>& paths, const std::string& id);

}  // namespace genomamba::report
