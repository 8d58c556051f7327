// SPDX-License-Identifier: MIT
#include "genomamba/io/embedding_writer.hpp"

#include "genomamba/core/error.hpp"
#include "npy_writer.hpp"
#include "tsv_writer.hpp"

namespace genomamba::io {

std::string row_table_path(const std::string& npy_path) {
  constexpr std::string_view kNpy = ".npy";
  const std::string stem =
      npy_path.ends_with(kNpy) ? npy_path.substr(0, npy_path.size() - kNpy.size()) : npy_path;
  return stem + ".rows.tsv.gz";
}

std::unique_ptr<EmbeddingWriter> make_embedding_writer(const EmbeddingWriterOptions& options,
                                                       std::size_t width) {
  if (width == 0) throw UsageError(options.path + ": embeddings of width 0");
  if (options.format == EmbeddingFormat::kTsv) return make_tsv_writer(options, width);
  if (options.path == "-") {
    throw UsageError("npy output cannot go to stdout; name a file, or use tsv");
  }
  return make_npy_writer(options, width);
}

}  // namespace genomamba::io
