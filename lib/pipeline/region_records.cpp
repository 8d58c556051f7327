// SPDX-License-Identifier: MIT
#include "region_records.hpp"

#include <utility>

namespace genomamba::pipeline {

RegionRecords::RegionRecords(const EmbedOptions& options, LogSink& log)
    : reference_(options.reference_path, "", log) {
  const io::RegionOptions region_options{.clip = options.clip_regions, .needs_strand = false};
  for (const std::string& text : options.regions) {
    regions_.push_back(io::parse_region(text, reference_, region_options, log));
  }
  if (options.regions_path.empty()) return;
  io::BedFile bed = io::read_bed(options.regions_path, reference_, region_options, log);
  for (io::Region& region : bed.regions)
    regions_.push_back(std::move(region));
}

bool RegionRecords::read(io::SequenceRecord& record) {
  if (next_ == regions_.size()) return false;
  const io::Region& region = regions_[next_++];
  record = {};
  record.id = region.name;
  record.comment = reference_.contigs()[region.contig].name;
  record.origin = region.begin;
  record.number = next_;
  reference_.read(region.contig, region.begin, region.end, record.sequence);
  return true;
}

}  // namespace genomamba::pipeline
