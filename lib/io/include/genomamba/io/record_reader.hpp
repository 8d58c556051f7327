// SPDX-License-Identifier: MIT
// RecordReader: a stream of sequence records, whatever the file's format.
#pragma once

#include <memory>
#include <string>

#include "genomamba/core/log.hpp"
#include "genomamba/io/sequence_record.hpp"

namespace genomamba::io {

/// Not thread-safe: one reader, one thread at a time.
class RecordReader {
 public:
  virtual ~RecordReader() = default;

  /// Fills `record` and returns true; returns false at the end of the data. A truncated or
  /// malformed file throws InputError naming file and record: the end and an error are never
  /// confused.
  virtual bool read(SequenceRecord& record) = 0;
  /// "FASTA", "FASTQ", "SAM", "BAM", "CRAM"; for messages and reports.
  virtual const char* format() const noexcept = 0;
};

struct OpenOptions {
  std::string reference_path;  ///< FASTA for CRAM; empty: local REF_PATH and REF_CACHE; no URL is
                               ///< ever tried
  int decompression_threads = 0;  ///< extra threads of htslib
  LogSink* log = nullptr;         ///< remarks ("no end-of-file block"); null: none
};

/// Opens `path` ("-": stdin), recognises the format by content: FASTA, FASTQ, SAM, BAM, CRAM;
/// plain, gzip, BGZF, zstd. An empty file gives a reader without records. Throws InputError.
std::unique_ptr<RecordReader> open_record_reader(const std::string& path,
                                                 const OpenOptions& options);

}  // namespace genomamba::io
