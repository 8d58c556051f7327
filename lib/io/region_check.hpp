// SPDX-License-Identifier: MIT
// What region strings and BED lines have in common. Private to io.
#pragma once

#include <string>

#include "genomamba/io/region.hpp"

namespace genomamba::io {

/// "chr1:11-20" for [10, 20).
std::string region_name(const Contig& contig, std::uint64_t begin, std::uint64_t end);

/// Shortens a region that reaches past the contig's end, with a remark, or returns what is wrong
/// with it.
std::string clip_region(Region& region, const Contig& contig, bool clip, LogSink& log);

}  // namespace genomamba::io
