// SPDX-License-Identifier: MIT
// SequenceRecord: one read or contig as it was sequenced.
#pragma once

#include <cstdint>
#include <string>

namespace genomamba::io {

/// Which end of a pair an alignment record is.
enum class Mate { kNone, kFirst, kSecond };

struct SequenceRecord {
  std::string id;       ///< first word of the header line; alignments of pairs: QNAME/1, QNAME/2
  std::string comment;  ///< the rest of the header line
  std::string
      sequence;  ///< letters as they stand in the file; reverse-strand alignments complemented back
  std::uint64_t origin =
      0;  ///< regions of a reference: 0-based position of the first base in its contig
  std::uint64_t number = 0;  ///< 1-based ordinal in its file, filtered records included
  std::uint16_t flags = 0;   ///< SAM flags; 0 for FASTA and FASTQ
  Mate mate = Mate::kNone;
};

/// "record 12 (read7)": how messages name a record.
std::string describe(const SequenceRecord& record);

}  // namespace genomamba::io
