// SPDX-License-Identifier: MIT
#include "row_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "float16.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

/// Appends text with what would end a column or a line made a space.
void append_cell(std::string& line, std::string_view text) {
  for (char c : text)
    line.push_back(c == '\t' || c == '\n' || c == '\r' || c == '\0' ? ' ' : c);
}

bool fits_half(float value) {
  return std::isfinite(from_half_bits(to_half_bits(value)));
}

}  // namespace

std::string row_table_header(const EmbeddingWriterOptions& options) {
  std::string text;
  for (const std::string& line : options.provenance) {
    text += "##";
    append_cell(text, line);
    text += '\n';
  }
  text += "#row\tid\tcomment\tstart\tend\tlength\tn_tokens\tn_windows\tstrand\tstatus";
  if (options.has_offset_column) text += "\toffset";
  return text;
}

void append_row_columns(std::string& line, const EmbeddingRow& row, std::uint64_t number) {
  fmt::format_to(std::back_inserter(line), "{}\t", number);
  append_cell(line, row.id);
  line += '\t';
  append_cell(line, row.comment);
  fmt::format_to(std::back_inserter(line), "\t{}\t{}\t{}\t{}\t{}\t", row.start, row.end, row.length,
                 row.n_tokens, row.n_windows);
  append_cell(line, row.strand);
  line += '\t';
  append_cell(line, row.status);
}

void check_values(const EmbeddingRow& row, std::span<const float> values,
                  const EmbeddingWriterOptions& options) {
  if (row.status != "ok") return;
  for (float value : values) {
    if (!std::isfinite(value)) {
      throw Error(fmt::format("{}: record {}: the vector holds {}", options.path, row.id, value));
    }
    if (options.dtype == FloatType::kF16 && !fits_half(value)) {
      throw OutputError(options.path,
                        fmt::format("record {}: the value {} does not fit float16; use --dtype f32",
                                    row.id, value));
    }
  }
}

}  // namespace genomamba::io
