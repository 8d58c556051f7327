// SPDX-License-Identifier: MIT
// The text of row tables: the same columns in .rows.tsv.gz and in TSV outputs. Private to io.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "genomamba/io/embedding_writer.hpp"

namespace genomamba::io {

/// The "##" lines, then the header line without its line end: "#row\tid\t...".
std::string row_table_header(const EmbeddingWriterOptions& options);

/// Appends the columns of one row, tab-separated, without a line end. `number`: the column `row`.
void append_row_columns(std::string& line, const EmbeddingRow& row, std::uint64_t number);

/// Throws Error when a row that is marked ok holds NaN or infinity, or a value that `dtype` cannot
/// hold. One place, behind everything that computes: such a number never reaches a file.
void check_values(const EmbeddingRow& row, std::span<const float> values,
                  const EmbeddingWriterOptions& options);

}  // namespace genomamba::io
