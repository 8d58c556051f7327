// SPDX-License-Identifier: MIT
// What `genomamba embed` can be asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "genomamba/core/nucleotide.hpp"
#include "genomamba/io/transcript_table.hpp"
#include "genomamba/model/mamba_model.hpp"

namespace genomamba::pipeline {

enum class Pool { kMean, kMax, kFirst, kLast, kNone };
enum class Strand { kForward, kReverse, kMean, kConcat };
enum class RowsPer { kRecord, kWindow };
enum class Pairing { kSingle, kTwoFiles, kInterleaved };

/// "mean", ...: the words of the command line.
const char* to_string(Pool pool) noexcept;
const char* to_string(Strand strand) noexcept;

struct EmbedOptions {
  std::vector<std::string> inputs;   ///< paths, "-" for stdin
  std::string reference_path;        ///< FASTA for CRAM, and of the regions
  std::vector<std::string> regions;  ///< region strings, instead of inputs
  std::string regions_path;          ///< BED, instead of inputs
  bool clip_regions = false;  ///< shorten what reaches past a contig's end, instead of an error
  /// One row a region of the reference, instead of one a record of the inputs.
  bool has_regions() const noexcept { return !regions.empty() || !regions_path.empty(); }

  /// Codon and exon tracks of each record, for six-track models alone; null: none.
  std::shared_ptr<const io::TranscriptTable> tracks;

  Pool pool = Pool::kMean;
  std::size_t layer = model::kLastLayer;
  Strand strand = Strand::kForward;
  std::size_t window = 0;  ///< tokens; 0: unlimited
  std::size_t overlap = 0;
  std::size_t min_length = 1;
  std::size_t max_length = std::numeric_limits<std::size_t>::max();
  std::uint16_t exclude_flags = 2304;  ///< SAM flags: secondary, supplementary
  RowsPer rows = RowsPer::kRecord;
  Pairing pairing = Pairing::kSingle;
  bool special_tokens = false;
  LetterPolicy letters = LetterPolicy::kStandard;
  std::size_t batch_tokens =
      0;  ///< tokens computed together by one thread; 0: chosen by memory_bytes
  std::size_t memory_bytes = 0;  ///< total budget; 0: none given
  std::size_t n_threads = 1;
};

}  // namespace genomamba::pipeline
