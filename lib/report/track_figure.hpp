// SPDX-License-Identifier: MIT
// A track as a figure, and the same values packed for the page's script, which draws them again
// when the view is zoomed. Private to report.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "figure.hpp"
#include "track.hpp"

namespace genomamba::report {

/// The whole region: smallest to largest value a column of the picture, the running mean, dips.
Figure track_figure(const Track& track, std::span<const double> means, const Dips& dips,
                    std::size_t window);

/// <figure> with buttons, marks and the data-* attributes that page/report.js reads. `most_bytes`:
/// of the packed values; a longer region is packed as means of several positions, without letters.
std::string track_html(const Track& track, const Figure& figure, const std::string& id,
                       const Dips& dips, std::size_t window, std::size_t most_bytes);

/// How many positions are packed into one value.
std::size_t packed_step(const Track& track, std::size_t most_bytes);

}  // namespace genomamba::report
