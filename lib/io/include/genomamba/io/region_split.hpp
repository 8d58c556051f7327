// SPDX-License-Identifier: MIT
// split_regions: regions to shards of about the same number of bases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "genomamba/io/region.hpp"

namespace genomamba::io {

/// Sorts the regions by contig and start (those of the same start as given) and cuts the list into
/// `n_shards` runs, so that shards one after the other are the sorted list. Regions are kept whole,
/// but those longer than `max_piece` (> 0) become the fewest pieces of like length that are not.
/// Shards may be empty.
std::vector<std::vector<Region>> split_regions(std::vector<Region> regions, std::size_t n_shards,
                                               std::uint64_t max_piece);

/// Shards as BED files, with the mark by which `genomamba merge` tells that all are there.
std::vector<std::string> shard_bed_texts(const std::vector<std::vector<Region>>& shards,
                                         const std::vector<Contig>& contigs);

}  // namespace genomamba::io
