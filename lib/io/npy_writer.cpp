// SPDX-License-Identifier: MIT
#include "npy_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <span>
#include <string>
#include <vector>

#include "float16.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/output_file.hpp"
#include "row_table.hpp"

namespace genomamba::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "'<f4' data are written as they lie in memory");

class NpyWriter final : public EmbeddingWriter {
 public:
  NpyWriter(const EmbeddingWriterOptions& options, std::size_t width)
      : options_(options), width_(width), matrix_(options.path), rows_(row_table_path_of(matrix_)) {
    write_header(matrix_, false);
    rows_.write(row_table_header(options_) + "\n");
  }

  void write(const EmbeddingRow& row, std::span<const float> values) override {
    last_row_ = row;
    line_.clear();
    append_row_columns(line_, row, n_rows_++);
    if (options_.has_offset_column) line_ += fmt::format("\t{}", n_vectors_);
    line_ += '\n';
    rows_.write(line_);
    append(values);
  }

  void append(std::span<const float> values) override {
    assert(values.size() % width_ == 0);
    check_values(last_row_, values, options_);
    n_vectors_ += values.size() / width_;
    if (options_.dtype == FloatType::kF32) {
      matrix_.write(std::as_bytes(values));
      return;
    }
    halves_.resize(values.size());
    std::transform(values.begin(), values.end(), halves_.begin(), to_half_bits);
    matrix_.write(std::as_bytes(std::span(halves_)));
  }

  void finish() override {
    write_header(matrix_, true);
    matrix_.finish_writing();
    rows_.finish_writing();
    // Both are whole on disk; the matrix, which is what a user waits for, appears last.
    rows_.commit();
    matrix_.commit();
  }

 private:
  /// Checked before the second file is opened: its name would make no sense.
  static std::string row_table_path_of(const OutputFile& matrix) {
    if (matrix.is_seekable()) return row_table_path(matrix.path());
    throw UsageError(matrix.path() +
                     ": npy output needs a regular file with a plain name; use tsv");
  }

  void write_header(OutputFile& file, bool at_start) const {
    const auto header = make_npy_header(options_.dtype, n_vectors_, width_);
    const auto bytes = std::as_bytes(std::span(header));
    at_start ? file.write_at_start(bytes) : file.write(bytes);
  }

  EmbeddingWriterOptions options_;
  std::size_t width_;
  OutputFile matrix_;
  OutputFile rows_;
  EmbeddingRow last_row_;
  std::uint64_t n_rows_ = 0;
  std::uint64_t n_vectors_ = 0;
  std::string line_;
  std::vector<std::uint16_t> halves_;
};

}  // namespace

std::array<char, kNpyHeaderBytes> make_npy_header(FloatType dtype, std::uint64_t rows,
                                                  std::uint64_t cols) {
  // Magic, version 1.0, length of the dictionary (little-endian), dictionary, blanks, '\n'.
  constexpr std::size_t kPreamble = 10;
  constexpr std::size_t kDictionary = kNpyHeaderBytes - kPreamble;
  std::array<char, kNpyHeaderBytes> header{};
  header.fill(' ');
  const char preamble[kPreamble] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, kDictionary, 0};
  std::copy(std::begin(preamble), std::end(preamble), header.begin());
  const std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                  dtype == FloatType::kF32 ? "<f4" : "<f2", rows, cols);
  assert(dictionary.size() < kDictionary);  // 20-digit numbers fit
  std::copy(dictionary.begin(), dictionary.end(), header.begin() + kPreamble);
  header.back() = '\n';
  return header;
}

std::unique_ptr<EmbeddingWriter> make_npy_writer(const EmbeddingWriterOptions& options,
                                                 std::size_t width) {
  return std::make_unique<NpyWriter>(options, width);
}

}  // namespace genomamba::io
