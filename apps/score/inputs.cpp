// SPDX-License-Identifier: MIT
#include "score/inputs.hpp"

#include <set>

#include "genomamba/core/error.hpp"

namespace genomamba::apps::score {
namespace {

/// True if the marks are 1-of-N to N-of-N of one set.
bool is_complete(const std::vector<std::string>& marks) {
  const std::set<std::string> distinct(marks.begin(), marks.end());
  for (std::size_t i = 1; i <= marks.size(); ++i) {
    const std::size_t blank = marks.front().find(' ');
    const std::string set = blank == std::string::npos ? "" : marks.front().substr(blank);
    if (distinct.count(std::to_string(i) + "-of-" + std::to_string(marks.size()) + set) == 0)
      return false;
  }
  return true;
}

}  // namespace

Inputs read_inputs(const Options& options, const io::ReferenceReader& reference, LogSink& log) {
  Inputs inputs;
  if (options.regions.empty() && options.bed_paths.empty()) {
    inputs.regions = io::whole_reference(reference);
    return inputs;
  }
  const io::RegionOptions region_options{
      .clip = options.clip, .needs_strand = options.score.strand == pipeline::ScoreStrand::kBed};
  for (const std::string& text : options.regions) {
    inputs.regions.push_back(io::parse_region(text, reference, region_options, log));
  }
  for (const std::string& path : options.bed_paths) {
    const io::BedFile bed = io::read_bed(path, reference, region_options, log);
    inputs.regions.insert(inputs.regions.end(), bed.regions.begin(), bed.regions.end());
    if (!bed.shard.empty()) inputs.shards.push_back(bed.shard);
  }
  const bool only_shards =
      options.regions.empty() && inputs.shards.size() == options.bed_paths.size();
  if (only_shards && is_complete(inputs.shards)) inputs.shards.clear();
  return inputs;
}

}  // namespace genomamba::apps::score
