// SPDX-License-Identifier: MIT
// Every possible SNV of some regions, as records, and their scores as a matrix.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "genomamba/core/nucleotide.hpp"
#include "genomamba/io/reference_reader.hpp"
#include "genomamba/io/region.hpp"
#include "genomamba/io/score_writer.hpp"
#include "genomamba/io/variant_file.hpp"
#include "genomamba/pipeline/variant_pipeline.hpp"

namespace genomamba::pipeline {

/// A header with the contigs of the regions.
io::VariantHeader saturation_header(const io::ReferenceReader& reference,
                                    std::span<const io::Region> regions);

/// One record a position, region by region, whose ALTs are the three other bases in the order A, C,
/// G, T; none where the reference has another letter. One thread at a time.
class SaturationSource {
 public:
  SaturationSource(io::ReferenceReader& reference, std::span<const io::Region> regions,
                   const io::VariantHeader& header, LetterPolicy policy)
      : reference_(reference), regions_(regions), header_(header), policy_(policy) {}

  /// False at the end. Throws InputError: a bad letter in the reference.
  bool read(io::VariantRecord& record);

 private:
  void read_letters();

  io::ReferenceReader& reference_;
  std::span<const io::Region> regions_;
  io::VariantHeader header_;
  LetterPolicy policy_;
  std::size_t region_ = 0;
  std::uint64_t next_ = 0;    ///< position within the region
  std::uint64_t loaded_ = 0;  ///< positions of the region whose letters were read, so far
  std::string letters_;       ///< those before `loaded_`
};

/// Scores of the records of a SaturationSource over the same regions, in that order, to `writer`:
/// [positions, 4] for A, C, G, T; 0 for the reference base, NaN where there is no score.
class SaturationMatrix {
 public:
  SaturationMatrix(io::ScoreTableWriter& writer, const io::ReferenceReader& reference,
                   std::span<const io::Region> regions);

  void add(const io::VariantRecord& record, std::span<const VariantScore> scores);
  /// The rows behind the last record.
  void finish();

 private:
  using Row = std::array<float, 4>;

  /// Begins regions and writes rows without a score up to this position.
  void fill_to(const std::string& contig, std::uint64_t position);
  void end_region();
  void write_row(char letter, const Row& row);

  io::ScoreTableWriter& writer_;
  const io::ReferenceReader& reference_;
  std::span<const io::Region> regions_;
  std::size_t region_ = 0;
  std::uint64_t next_ = 0;  ///< position on the contig
};

}  // namespace genomamba::pipeline
