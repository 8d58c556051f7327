// SPDX-License-Identifier: MIT
// npy of scores: a float32 matrix and the row table of its regions.
#include <cassert>

#include "genomamba/core/error.hpp"
#include "genomamba/io/embedding_writer.hpp"
#include "genomamba/io/output_file.hpp"
#include "genomamba/io/score_writer.hpp"
#include "indexed_text.hpp"
#include "npy_writer.hpp"
#include "number_text.hpp"

namespace genomamba::io {
namespace {

class ScoreNpy final : public ScoreTableWriter {
 public:
  explicit ScoreNpy(const ScoreWriterOptions& options)
      : n_columns_(options.columns.size()),
        contigs_(*options.contigs),
        matrix_(options.path),
        rows_(row_table_path(options.path)) {
    if (!matrix_.is_seekable()) {
      throw UsageError(options.path + ": npy output needs a regular file with a plain name");
    }
    write_header(false);
    rows_.write(provenance_text(options.provenance) +
                "#row\tcontig\tstart\tend\tregion\toffset\tn_positions\n");
  }

  void begin_region(const Region& region) override {
    std::string row;
    append_number(row, n_regions_++);
    row += '\t' + contigs_[region.contig].name + '\t';
    append_number(row, region.begin);
    row += '\t';
    append_number(row, region.end);
    row += '\t';
    for (const char c : region.name)
      row += c == '\t' || c == '\n' || c == '\0' ? ' ' : c;
    row += '\t';
    append_number(row, n_positions_);
    row += '\t';
    append_number(row, region.length());
    rows_.write(row + '\n');
  }

  void write(std::uint64_t, std::string_view letters, std::span<const float> values) override {
    assert(values.size() == letters.size() * n_columns_);
    n_positions_ += letters.size();
    matrix_.write(std::as_bytes(values));
  }

  void finish_writing() override {
    write_header(true);
    matrix_.finish_writing();
    rows_.finish_writing();
  }
  void commit() override {
    rows_.commit();
    matrix_.commit();
  }

 private:
  void write_header(bool at_start) {
    const auto header = make_npy_header(FloatType::kF32, n_positions_, n_columns_);
    const auto bytes = std::as_bytes(std::span(header));
    at_start ? matrix_.write_at_start(bytes) : matrix_.write(bytes);
  }

  std::size_t n_columns_;
  const std::vector<Contig>& contigs_;
  OutputFile matrix_;
  OutputFile rows_;
  std::uint64_t n_regions_ = 0;
  std::uint64_t n_positions_ = 0;
};

}  // namespace

std::unique_ptr<ScoreTableWriter> make_score_npy(const ScoreWriterOptions& options) {
  return std::make_unique<ScoreNpy>(options);
}

}  // namespace genomamba::io
