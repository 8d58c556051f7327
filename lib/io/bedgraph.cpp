// SPDX-License-Identifier: MIT
// bedGraph of one score: one line a position, gaps left out.
#include <cmath>

#include "genomamba/io/score_writer.hpp"
#include "indexed_text.hpp"
#include "number_text.hpp"

namespace genomamba::io {
namespace {

/// The name of the score stands in the header: the rows have no column names.
std::string header_text(const ScoreWriterOptions& options) {
  if (options.provenance.empty()) return {};
  return provenance_text(options.provenance) + "##column=" + options.columns.front() + "\n";
}

class BedGraph final : public ScoreTrackWriter {
 public:
  explicit BedGraph(const ScoreWriterOptions& options)
      : contigs_(*options.contigs),
        decimals_(options.precision),
        text_(options.path, header_text(options), *options.contigs, options.log) {}

  void write(std::size_t contig, std::uint64_t begin, std::span<const float> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      row_ = contigs_[contig].name;
      row_ += '\t';
      append_number(row_, begin + i);
      row_ += '\t';
      append_number(row_, begin + i + 1);
      row_ += '\t';
      decimals_.append(row_, values[i]);
      row_ += '\n';
      text_.write_row(contig, begin + i, begin + i + 1, row_);
    }
  }

  void finish_writing() override { text_.finish_writing(); }
  void commit() override { text_.commit(); }

 private:
  const std::vector<Contig>& contigs_;
  FixedDecimals decimals_;
  IndexedText text_;
  std::string row_;
};

}  // namespace

std::unique_ptr<ScoreTrackWriter> make_bedgraph(const ScoreWriterOptions& options) {
  return std::make_unique<BedGraph>(options);
}

}  // namespace genomamba::io
