// SPDX-License-Identifier: MIT
#include "genomamba/io/region.hpp"

#include <fmt/format.h>
#include <htslib/hts.h>

#include <limits>

#include "genomamba/core/error.hpp"
#include "region_check.hpp"

namespace genomamba::io {
namespace {

int find_contig(void* reference, const char* name) {
  const auto found = static_cast<const ReferenceReader*>(reference)->find(name);
  // htslib's own type; a reference of 2^31 contigs does not exist.
  return found ? static_cast<int>(*found) : -1;
}

/// The text before the last colon, without the braces that quote a name.
std::string contig_part(const std::string& text) {
  if (text.starts_with('{')) return text.substr(1, text.find('}') - 1);
  return text.substr(0, text.rfind(':'));
}

[[noreturn]] void fail(const std::string& text, const std::string& reason) {
  throw UsageError("region '" + text + "': " + reason);
}

/// Why hts_parse_region refused it.
[[noreturn]] void explain(const std::string& text, const ReferenceReader& reference, int contig,
                          hts_pos_t begin, hts_pos_t end) {
  if (text.empty()) throw UsageError("a region is empty; CONTIG or CONTIG:START-END is wanted");
  const std::string name = contig_part(text);
  const bool is_whole_known = reference.find(text).has_value();
  const bool is_part_known = name != text && reference.find(name).has_value();
  if (is_whole_known && is_part_known) {
    fail(text,
         fmt::format("is ambiguous: {0} and {1} are both contigs; write {{{0}}} or {{{1}}}{2}",
                     text, name, text.substr(name.size())));
  }
  if (contig < 0) {
    fail(text, fmt::format("no contig {} in {}; {}", is_part_known ? text : name, reference.path(),
                           reference.suggestion(name)));
  }
  if (begin >= end && begin >= 0) fail(text, fmt::format("start {} > end {}", begin + 1, end));
  fail(text, "cannot be read; CONTIG:START-END is wanted, 1-based, both included");
}

/// A start of 0 is lost in what htslib returns for "chr:0".
bool starts_at_zero(const std::string& text, hts_pos_t begin) {
  if (begin < 0) return true;
  const std::size_t colon = text.rfind(':');
  if (begin > 0 || colon == std::string::npos) return false;
  const std::string number = text.substr(colon + 1);
  const std::size_t first = number.find_first_not_of('0');
  return number.starts_with('0') && (first == std::string::npos || number[first] == '-');
}

}  // namespace

std::string region_name(const Contig& contig, std::uint64_t begin, std::uint64_t end) {
  return fmt::format("{}:{}-{}", contig.name, begin + 1, end);
}

std::string clip_region(Region& region, const Contig& contig, bool clip, LogSink& log) {
  if (region.end <= contig.length && (region.begin < contig.length || region.begin == region.end))
    return {};
  const std::string problem = fmt::format("{}-{} reaches past the end of {} ({} bases)",
                                          region.begin, region.end, contig.name, contig.length);
  if (!clip) return problem;
  log.write(LogLevel::kWarning, fmt::format("region {}: {}: shortened", region.name, problem));
  region.begin = std::min(region.begin, contig.length);
  region.end = std::min(region.end, contig.length);
  return {};
}

Region parse_region(const std::string& text, const ReferenceReader& reference,
                    const RegionOptions& options, LogSink& log) {
  int contig = -1;
  hts_pos_t begin = -1;
  hts_pos_t end = -1;
  const char* const rest =
      hts_parse_region(text.c_str(), &contig, &begin, &end, find_contig,
                       const_cast<ReferenceReader*>(&reference), HTS_PARSE_THOUSANDS_SEP);
  if (rest == nullptr || *rest != '\0' || contig < 0 ||
      text.size() != std::string(text.c_str()).size()) {
    explain(text, reference, contig, begin, end);
  }
  if (starts_at_zero(text, begin)) fail(text, "positions of a region string count from 1");
  const Contig& found = reference.contigs()[static_cast<std::size_t>(contig)];
  Region region;
  region.contig = static_cast<std::size_t>(contig);
  region.begin = static_cast<std::uint64_t>(begin);
  const bool is_open = end >= HTS_POS_MAX;
  region.end = is_open ? found.length : static_cast<std::uint64_t>(end);
  region.name = text;
  if (is_open && region.begin >= found.length && found.length > 0) region.end = region.begin + 1;
  if (const std::string problem = clip_region(region, found, options.clip, log); !problem.empty()) {
    fail(text, problem + "; --clip shortens it");
  }
  region.name = region_name(found, region.begin, region.end);
  return region;
}

std::vector<Region> whole_reference(const ReferenceReader& reference) {
  std::vector<Region> regions;
  for (std::size_t c = 0; c < reference.contigs().size(); ++c) {
    const Contig& contig = reference.contigs()[c];
    regions.push_back({c, 0, contig.length, region_name(contig, 0, contig.length), '.', false});
  }
  return regions;
}

}  // namespace genomamba::io
