// SPDX-License-Identifier: MIT
// TSV of scores: one row a position.
#include <cassert>

#include "genomamba/io/score_writer.hpp"
#include "indexed_text.hpp"
#include "number_text.hpp"

namespace genomamba::io {
namespace {

std::string header_text(const ScoreWriterOptions& options) {
  std::string text = provenance_text(options.provenance) + "#contig\tstart\tend\tref\tregion";
  for (const std::string& column : options.columns)
    text += "\t" + column;
  return text + "\n";
}

class ScoreTsv final : public ScoreTableWriter {
 public:
  explicit ScoreTsv(const ScoreWriterOptions& options)
      : n_columns_(options.columns.size()),
        contigs_(*options.contigs),
        decimals_(options.precision),
        text_(options.path, header_text(options), *options.contigs, options.log) {}

  void begin_region(const Region& region) override {
    contig_ = region.contig;
    prefix_ = contigs_[contig_].name + '\t';
    name_ = '\t';
    for (const char c : region.name)
      name_ += c == '\t' || c == '\n' || c == '\0' ? ' ' : c;
  }

  void write(std::uint64_t begin, std::string_view letters,
             std::span<const float> values) override {
    assert(values.size() == letters.size() * n_columns_);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      row_ = prefix_;
      append_number(row_, begin + i);
      row_ += '\t';
      append_number(row_, begin + i + 1);
      row_ += '\t';
      row_ += letters[i];
      row_ += name_;
      for (std::size_t c = 0; c < n_columns_; ++c) {
        row_ += '\t';
        decimals_.append(row_, values[i * n_columns_ + c]);
      }
      row_ += '\n';
      text_.write_row(contig_, begin + i, begin + i + 1, row_);
    }
  }

  void finish_writing() override { text_.finish_writing(); }
  void commit() override { text_.commit(); }

 private:
  std::size_t n_columns_;
  const std::vector<Contig>& contigs_;
  FixedDecimals decimals_;
  IndexedText text_;
  std::size_t contig_ = 0;
  std::string prefix_;
  std::string name_;
  std::string row_;
};

}  // namespace

std::unique_ptr<ScoreTableWriter> make_score_tsv(const ScoreWriterOptions& options) {
  return std::make_unique<ScoreTsv>(options);
}

}  // namespace genomamba::io
