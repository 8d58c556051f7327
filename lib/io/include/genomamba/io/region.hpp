// SPDX-License-Identifier: MIT
// Region: a part of a contig, from a region string or a BED line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "genomamba/core/log.hpp"
#include "genomamba/io/reference_reader.hpp"

namespace genomamba::io {

/// 0-based half-open, within its contig.
struct Region {
  std::size_t contig = 0;  ///< index into ReferenceReader::contigs()
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;       ///< BED column 4, else "contig:start-end", 1-based inclusive
  char strand = '.';      ///< BED column 6: '+', '-', '.' (also for a column that is absent)
  bool has_name = false;  ///< the name is BED column 4

  std::uint64_t length() const noexcept { return end - begin; }
};

struct RegionOptions {
  bool clip = false;          ///< shorten what reaches past the contig's end instead of an error
  bool needs_strand = false;  ///< a BED column 6 other than + - . is an error
};

/// `text` is 1-based inclusive, as htslib reads it: "chr1", "chr1:1,000-2,000", "chr1:5" (to the
/// end),
/// "{HLA:A*01}:1-100". Throws UsageError: unknown contig, ambiguous, start 0, start > end, past the
/// end.
Region parse_region(const std::string& text, const ReferenceReader& reference,
                    const RegionOptions& options, LogSink& log);

struct BedFile {
  std::vector<Region> regions;
  /// What a comment line `#genomamba-shard ...` says, which `genomamba split` writes; empty: none.
  std::string shard;
};

/// BED of 3 to 12 columns: plain or compressed, tabs or blanks, LF or CR LF; lines of `track`,
/// `browser` and `#`, and a header line of words are skipped. Blocks (columns 10 to 12) are not
/// looked at: a line is its span. A line of no length is kept, with a remark. Throws InputError
/// with the line's number.
BedFile read_bed(const std::string& path, const ReferenceReader& reference,
                 const RegionOptions& options, LogSink& log);

/// One region a contig, in order.
std::vector<Region> whole_reference(const ReferenceReader& reference);

}  // namespace genomamba::io
