// SPDX-License-Identifier: MIT
// Writers of values per position: tables (TSV, npy) region by region, tracks (bedGraph, bigWig)
// along the contigs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/core/log.hpp"
#include "genomamba/io/reference_reader.hpp"
#include "genomamba/io/region.hpp"

namespace genomamba::io {

struct ScoreWriterOptions {
  std::string path;                  ///< "-": stdout (text only)
  std::vector<std::string> columns;  ///< names of the values of one position; a track has one
  const std::vector<Contig>* contigs =
      nullptr;        ///< in the reference's order; must outlive the writer
  int precision = 4;  ///< decimals of text and bigWig; negative: bigWig takes values as they are
  std::vector<std::string> provenance;  ///< lines without "##" and without a line end; empty: none
  LogSink* log = nullptr;               ///< null: none
};

/// What every score writer has in common. The file appears by commit(), whole. For outputs that
/// should appear together: finish_writing() of all, then commit() of all.
class ScoreOutput {
 public:
  virtual ~ScoreOutput() = default;
  /// Everything is on disk, under a temporary name. Nothing may be written after it. Throws
  /// OutputError, BrokenPipe.
  virtual void finish_writing() = 0;
  virtual void commit() = 0;
};

/// One thread at a time. NaN is "no value": `.` in TSV, NaN in npy.
class ScoreTableWriter : public ScoreOutput {
 public:
  /// Starts the rows of a region; every region is announced, in the order asked for, also one
  /// without length.
  virtual void begin_region(const Region& region) = 0;
  /// The next positions of the region, from `begin` on: their reference letters and their values
  /// [letters.size(), columns].
  virtual void write(std::uint64_t begin, std::string_view letters,
                     std::span<const float> values) = 0;
};

/// One thread at a time. NaN is a gap.
class ScoreTrackWriter : public ScoreOutput {
 public:
  /// Consecutive positions. Calls ascend by contig, then position, and never overlap.
  virtual void write(std::size_t contig, std::uint64_t begin, std::span<const float> values) = 0;
};

/// `contig start end ref region`, then the columns. A .gz is BGZF; if its rows are sorted it gets a
/// .tbi, or a .csi when a contig is longer than 2^29 bases; otherwise an index left from before is
/// removed. Throws OutputError.
std::unique_ptr<ScoreTableWriter> make_score_tsv(const ScoreWriterOptions& options);

/// float32 [positions, columns], and beside it the row table of the regions: `row contig start end
/// region offset n_positions`. Throws OutputError, UsageError: no regular file.
std::unique_ptr<ScoreTableWriter> make_score_npy(const ScoreWriterOptions& options);

/// One line a position; .gz as for TSV. Throws OutputError.
std::unique_ptr<ScoreTrackWriter> make_bedgraph(const ScoreWriterOptions& options);

/// With zoom levels and every contig's length; reopened and compared with what was written before
/// it gets its name. Values are rounded to `precision`. Throws OutputError; UsageError: a device, a
/// contig of 2^32 bases or more.
std::unique_ptr<ScoreTrackWriter> make_bigwig(const ScoreWriterOptions& options);

}  // namespace genomamba::io
