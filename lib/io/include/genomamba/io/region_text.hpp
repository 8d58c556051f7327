// SPDX-License-Identifier: MIT
// parse_region_text: a region string where no reference is at hand to check it against.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace genomamba::io {

/// 0-based half-open.
struct NamedRegion {
  static constexpr std::uint64_t kOpenEnd = std::numeric_limits<std::uint64_t>::max();
  std::string contig;
  std::uint64_t begin = 0;
  std::uint64_t end = kOpenEnd;  ///< kOpenEnd: to the contig's end
};

/// `text` is 1-based inclusive, as htslib reads it: "chr1", "chr1:1,000-2,000", "chr1:5",
/// "{HLA:A*01}:1-100". Throws UsageError.
NamedRegion parse_region_text(const std::string& text);

}  // namespace genomamba::io
