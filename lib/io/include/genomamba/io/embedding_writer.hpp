// SPDX-License-Identifier: MIT
// EmbeddingWriter: rows of vectors with their row table, as .npy + .rows.tsv.gz or as TSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace genomamba::io {

/// One row of the table (cli.md, embed). Coordinates are 0-based half-open within the record.
struct EmbeddingRow {
  std::string id;
  std::string comment;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t length = 0;    ///< bases
  std::uint64_t n_tokens = 0;  ///< tokens pooled
  std::uint64_t n_windows = 0;
  std::string strand;           ///< forward, reverse, mean, concat
  std::string status = "ok";    ///< ok, or why the vector is NaN
  std::uint64_t offset = 0;     ///< first row of the matrix (pool none)
  std::uint64_t n_vectors = 1;  ///< rows of the matrix that belong to this row (pool none: tokens)
};

enum class EmbeddingFormat { kNpy, kTsv };
enum class FloatType { kF32, kF16 };

struct EmbeddingWriterOptions {
  std::string path;  ///< "-": stdout (TSV only)
  EmbeddingFormat format = EmbeddingFormat::kTsv;
  FloatType dtype = FloatType::kF32;
  bool has_offset_column = false;       ///< --pool none
  std::vector<std::string> provenance;  ///< lines without "##" and without a line end; empty: none
};

/// Rows come in input order, in one thread. Files appear only by finish(), whole: the matrix and
/// its row table.
class EmbeddingWriter {
 public:
  virtual ~EmbeddingWriter() = default;

  /// One row of the table and its vectors: `values` holds n_vectors * width floats. The tsv format
  /// repeats the row's columns for each vector. Throws OutputError, BrokenPipe.
  virtual void write(const EmbeddingRow& row, std::span<const float> values) = 0;
  /// More vectors of the row of the last write() (a long record under --pool none).
  virtual void append(std::span<const float> values) = 0;
  virtual void finish() = 0;
};

/// `width`: floats of a vector. Throws OutputError, UsageError (npy to stdout).
std::unique_ptr<EmbeddingWriter> make_embedding_writer(const EmbeddingWriterOptions& options,
                                                       std::size_t width);

/// The row table that goes with an .npy: "x.npy" -> "x.rows.tsv.gz".
std::string row_table_path(const std::string& npy_path);

}  // namespace genomamba::io
