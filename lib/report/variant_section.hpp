// SPDX-License-Identifier: MIT
// What a report says about one scored VCF. Private to report.
#pragma once

#include <span>
#include <string>

#include "html.hpp"
#include "score_section.hpp"

namespace genomamba::report {

/// `places`: tracks of the page, to which rows lead when they hold the position. Throws InputError.
Section variant_section(const std::string& path, const std::string& id,
                        std::span<const TrackPlace> places);

}  // namespace genomamba::report
