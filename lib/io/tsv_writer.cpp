// SPDX-License-Identifier: MIT
#include "tsv_writer.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>
#include <string>

#include "float16.hpp"
#include "genomamba/io/output_file.hpp"
#include "row_table.hpp"

namespace genomamba::io {
namespace {

class TsvWriter final : public EmbeddingWriter {
 public:
  TsvWriter(const EmbeddingWriterOptions& options, std::size_t width)
      : options_(options), width_(width), file_(options.path) {
    std::string header = row_table_header(options_);
    for (std::size_t i = 0; i < width_; ++i)
      header += fmt::format("\te{}", i);
    file_.write(header + "\n");
  }

  void write(const EmbeddingRow& row, std::span<const float> values) override {
    last_row_ = row;
    columns_.clear();
    append_row_columns(columns_, row, n_rows_++);
    append(values);
  }

  void append(std::span<const float> values) override {
    assert(values.size() % width_ == 0);
    check_values(last_row_, values, options_);
    for (std::size_t i = 0; i < values.size(); i += width_)
      write_line(values.subspan(i, width_));
  }

  void finish() override { file_.commit(); }

 private:
  void write_line(std::span<const float> vector) {
    line_ = columns_;
    if (options_.has_offset_column) fmt::format_to(std::back_inserter(line_), "\t{}", n_vectors_);
    ++n_vectors_;
    for (float value : vector)
      append_number(value);
    line_ += '\n';
    file_.write(line_);
  }

  /// The shortest text that reads back as the same float, whatever the locale.
  void append_number(float value) {
    if (options_.dtype == FloatType::kF16) value = from_half_bits(to_half_bits(value));
    line_ += '\t';
    if (std::isnan(value)) {
      line_ += "nan";  // fmt would show a sign
    } else {
      fmt::format_to(std::back_inserter(line_), "{}", value);
    }
  }

  EmbeddingWriterOptions options_;
  std::size_t width_;
  OutputFile file_;
  EmbeddingRow last_row_;
  std::uint64_t n_rows_ = 0;
  std::uint64_t n_vectors_ = 0;
  std::string columns_;
  std::string line_;
};

}  // namespace

std::unique_ptr<EmbeddingWriter> make_tsv_writer(const EmbeddingWriterOptions& options,
                                                 std::size_t width) {
  return std::make_unique<TsvWriter>(options, width);
}

}  // namespace genomamba::io
