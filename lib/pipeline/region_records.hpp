// SPDX-License-Identifier: MIT
// RegionRecords: regions of a reference as sequence records.
#pragma once

#include <cstddef>
#include <vector>

#include "genomamba/io/record_reader.hpp"
#include "genomamba/io/reference_reader.hpp"
#include "genomamba/io/region.hpp"
#include "genomamba/pipeline/embed_options.hpp"

namespace genomamba::pipeline {

/// In the order in which they were given: --regions strings first, then the lines of the BED. The
/// id is the region's name, the comment its contig.
class RegionRecords final : public io::RecordReader {
 public:
  /// Throws InputError, UsageError: an unknown contig, a region past its end.
  RegionRecords(const EmbedOptions& options, LogSink& log);

  bool read(io::SequenceRecord& record) override;
  const char* format() const noexcept override { return "FASTA"; }

 private:
  io::ReferenceReader reference_;
  std::vector<io::Region> regions_;
  std::size_t next_ = 0;
};

}  // namespace genomamba::pipeline
