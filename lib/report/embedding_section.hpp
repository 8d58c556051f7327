// SPDX-License-Identifier: MIT
// What a report says about one embedding. Private to report.
#pragma once

#include <cstddef>
#include <string>

#include "genomamba/report/report.hpp"
#include "html.hpp"

namespace genomamba::report {

/// `path`: the .npy, its row table beside it. `n_points`: marks that all its scatters may have
/// together. Throws InputError, UsageError.
Section embedding_section(const std::string& path, const std::string& id,
                          const ReportOptions& options, std::size_t n_points);

}  // namespace genomamba::report
