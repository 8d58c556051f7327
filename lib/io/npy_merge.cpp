// SPDX-License-Identifier: MIT
#include "npy_merge.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "byte_source.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/embedding_writer.hpp"
#include "genomamba/io/output_file.hpp"
#include "indexed_text.hpp"
#include "line_reader.hpp"
#include "npy_writer.hpp"
#include "number_text.hpp"
#include "shard_header.hpp"

namespace genomamba::io {
namespace {

constexpr std::size_t kOffsetField = 5;
constexpr std::size_t kCountField = 6;

struct Shape {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
};

/// Our own matrices only: the header is 128 bytes, the numbers are float32.
Shape read_shape(const OpenedInput& input) {
  std::array<char, kNpyHeaderBytes> bytes{};
  const ssize_t n = hread(input.file.get(), bytes.data(), bytes.size());
  const std::string_view header(bytes.data(), bytes.size());
  constexpr std::string_view kShape = "'shape': (";
  const std::size_t at = header.find(kShape);
  Shape shape;
  bool is_good = n == static_cast<ssize_t>(bytes.size()) && header.starts_with("\x93NUMPY") &&
                 at != std::string_view::npos && header.find("'<f4'") != std::string_view::npos;
  if (is_good) {
    const char* const end = header.data() + header.size();
    const auto rows = std::from_chars(header.data() + at + kShape.size(), end, shape.rows);
    const auto cols = std::from_chars(rows.ptr + 2, end, shape.cols);
    is_good = rows.ec == std::errc() && cols.ec == std::errc() && shape.cols > 0;
  }
  const std::uint64_t size = bytes.size() + shape.rows * shape.cols * sizeof(float);
  if (!is_good) throw InputError(input.name, "", "is no .npy of genomamba score");
  if (static_cast<std::uint64_t>(input.at_open.st_size) != size) {
    throw InputError(input.name, "",
                     fmt::format("has {} bytes, its shape needs {}", input.at_open.st_size, size));
  }
  return shape;
}

ShardHeader read_rows_header(const std::string& matrix) {
  ShardHeader header;
  header.path = matrix;
  LineReader lines(row_table_path(matrix));
  std::string line;
  while (lines.next(line) && line.starts_with('#'))
    header.add(line);
  return header;
}

class NpyMerge {
 public:
  NpyMerge(const MergeOptions& options, const ShardHeader& first)
      : matrix_(options.output), rows_(row_table_path(options.output)) {
    if (!matrix_.is_seekable())
      throw UsageError(options.output + ": npy output needs a regular file with a plain name");
    write_header(false);
    rows_.write(provenance_text(first.provenance) + first.columns + "\n");
  }

  void add(const std::string& path) {
    const OpenedInput input = open_input(path);
    const Shape shape = read_shape(input);
    if (n_columns_ != 0 && shape.cols != n_columns_) {
      throw InputError(
          path, "",
          fmt::format("has {} columns, the shards before it have {}", shape.cols, n_columns_));
    }
    n_columns_ = shape.cols;
    add_rows(row_table_path(path), shape);
    std::vector<char> buffer(std::size_t{1} << 18);
    for (;;) {
      const ssize_t n = hread(input.file.get(), buffer.data(), buffer.size());
      if (n < 0) throw InputError(path, "", "cannot read");
      if (n == 0) break;
      matrix_.write(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
    }
    n_positions_ += shape.rows;
  }

  std::uint64_t finish() {
    write_header(true);
    matrix_.finish_writing();
    rows_.finish_writing();
    rows_.commit();
    matrix_.commit();
    return n_positions_;
  }

 private:
  void write_header(bool at_start) {
    const auto header =
        make_npy_header(FloatType::kF32, n_positions_, std::max<std::uint64_t>(n_columns_, 1));
    const auto bytes = std::as_bytes(std::span(header));
    at_start ? matrix_.write_at_start(bytes) : matrix_.write(bytes);
  }

  /// The region's lines, with `row` and `offset` counted on.
  void add_rows(const std::string& path, const Shape& shape) {
    LineReader lines(path);
    std::string line;
    std::uint64_t n_positions = 0;
    while (lines.next(line)) {
      if (line.starts_with('#')) continue;
      std::array<std::size_t, kCountField + 1> begin{};
      bool is_good = true;
      for (std::size_t field = 1; field < begin.size(); ++field) {
        const std::size_t tab = line.find('\t', begin[field - 1]);
        is_good = is_good && tab != std::string::npos;
        begin[field] = is_good ? tab + 1 : line.size();
      }
      std::uint64_t count = 0;
      const auto [end, error] =
          std::from_chars(line.data() + begin[kCountField], line.data() + line.size(), count);
      if (!is_good || error != std::errc() || end != line.data() + line.size()) {
        throw InputError(path, fmt::format("line {}", lines.number()),
                         "is no row of a table of regions");
      }
      std::string row;
      append_number(row, n_regions_++);
      row += line.substr(begin[1] - 1, begin[kOffsetField] - begin[1] + 1);
      append_number(row, n_positions_ + n_positions);
      row += line.substr(begin[kCountField] - 1);
      rows_.write(row + "\n");
      n_positions += count;
    }
    if (n_positions != shape.rows) {
      throw InputError(
          path, "",
          fmt::format("tells of {} positions, the matrix has {}", n_positions, shape.rows));
    }
  }

  OutputFile matrix_;
  OutputFile rows_;
  std::uint64_t n_columns_ = 0;
  std::uint64_t n_regions_ = 0;
  std::uint64_t n_positions_ = 0;
};

}  // namespace

MergeCounts merge_npy(const MergeOptions& options) {
  std::vector<ShardHeader> headers;
  for (const std::string& path : options.shards)
    headers.push_back(read_rows_header(path));
  check_agreement(headers);
  if (!sort_by_mark(headers) && options.log != nullptr) {
    options.log->write(LogLevel::kWarning,
                       "the shards carry no marks of genomamba split: they are joined as named, "
                       "and whether one is missing cannot be told");
  }
  NpyMerge merge(options, headers.front());
  for (const ShardHeader& header : headers)
    merge.add(header.path);
  return {headers.size(), merge.finish()};
}

}  // namespace genomamba::io
