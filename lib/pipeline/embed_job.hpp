// SPDX-License-Identifier: MIT
// EmbedJob: one row of the table on its way: a record or a pair of mates, then its vectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "genomamba/io/embedding_writer.hpp"
#include "genomamba/io/sequence_record.hpp"
#include "runner.hpp"

namespace genomamba::pipeline {

struct EmbedJob {
  struct Mate {
    std::string path;  ///< the file it comes from, for messages
    io::SequenceRecord record;
    /// Bits of model::Batch::tracks, one a base; six-track models alone, else empty.
    std::vector<std::uint8_t> tracks;
  };
  std::vector<Mate> mates;  ///< one, or two for a pair

  // Filled by Embedder.
  std::vector<io::EmbeddingRow> rows;  ///< one, or one a window
  std::vector<float> values;           ///< the rows' vectors, one after the other
  std::uint64_t n_iupac = 0;
  std::uint64_t n_uracil = 0;
  std::uint64_t n_tokens_computed = 0;

  std::size_t n_bases() const noexcept;
  /// "reads.fq: record 12 (read7)", for messages.
  std::string where() const;
};

/// Jobs that are computed by one thread in one go.
class EmbedBatch final : public WorkItem {
 public:
  std::vector<EmbedJob> jobs;
  std::uint64_t n_in = 0;    ///< records read when the batch was complete
  bool is_restored = false;  ///< the vectors came from the resume file
};

}  // namespace genomamba::pipeline
