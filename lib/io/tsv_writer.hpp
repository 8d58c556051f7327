// SPDX-License-Identifier: MIT
// Embeddings as text. Private to io.
#pragma once

#include <memory>

#include "genomamba/io/embedding_writer.hpp"

namespace genomamba::io {

std::unique_ptr<EmbeddingWriter> make_tsv_writer(const EmbeddingWriterOptions& options,
                                                 std::size_t width);

}  // namespace genomamba::io
