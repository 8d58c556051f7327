// SPDX-License-Identifier: MIT
#include "genomamba/io/region_text.hpp"

#include <htslib/hts.h>

#include "genomamba/core/error.hpp"

namespace genomamba::io {

NamedRegion parse_region_text(const std::string& text) {
  hts_pos_t begin = 0;
  hts_pos_t end = 0;
  const char* const name_end = hts_parse_reg64(text.c_str(), &begin, &end);
  if (name_end == nullptr || begin < 0 || begin >= end || text.empty()) {
    throw UsageError("region '" + text +
                     "': cannot be read; CONTIG:START-END is wanted, 1-based, both included");
  }
  NamedRegion region;
  region.contig = text.substr(0, static_cast<std::size_t>(name_end - text.c_str()));
  if (region.contig.starts_with('{') && region.contig.ends_with('}'))
    region.contig = region.contig.substr(1, region.contig.size() - 2);
  region.begin = static_cast<std::uint64_t>(begin);
  if (end < HTS_POS_MAX) region.end = static_cast<std::uint64_t>(end);
  return region;
}

}  // namespace genomamba::io
