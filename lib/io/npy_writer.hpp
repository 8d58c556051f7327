// SPDX-License-Identifier: MIT
// The .npy format, version 1.0, as numpy writes it. Private to io.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "genomamba/io/embedding_writer.hpp"

namespace genomamba::io {

/// Bytes before the data: the dictionary is padded, so that the row count can be written at the
/// end.
inline constexpr std::size_t kNpyHeaderBytes = 128;

/// Header of a C-ordered matrix [rows, cols].
std::array<char, kNpyHeaderBytes> make_npy_header(FloatType dtype, std::uint64_t rows,
                                                  std::uint64_t cols);

std::unique_ptr<EmbeddingWriter> make_npy_writer(const EmbeddingWriterOptions& options,
                                                 std::size_t width);

}  // namespace genomamba::io
