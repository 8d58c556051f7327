// SPDX-License-Identifier: MIT
#include "variants/outputs.hpp"

namespace genomamba::apps::variants {

Outputs::Outputs(const Options& options, const io::VariantHeader& header,
                 const std::vector<std::string>& provenance, const io::ReferenceReader& reference,
                 std::span<const io::Region> saturated, LogSink& log) {
  if (!options.output.empty()) {
    variants_.emplace(
        io::VariantWriterOptions{
            .path = options.output, .format = options.format(), .write_index = options.write_index},
        header);
  }
  if (!options.table.empty()) table_.emplace(options.table, provenance);
  if (!options.npy.empty()) {
    npy_ = io::make_score_npy({.path = options.npy,
                               .columns = {"A", "C", "G", "T"},
                               .contigs = &reference.contigs(),
                               .provenance = provenance,
                               .log = &log});
    matrix_.emplace(*npy_, reference, saturated);
  }
}

void Outputs::write(io::VariantRecord& record, std::span<const pipeline::VariantScore> scores) {
  if (table_) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      std::string skip(pipeline::to_string(scores[i].skip));
      if (!scores[i].detail.empty()) skip += ": " + scores[i].detail;
      table_->write(record, i, scores[i].llr, skip);
    }
  }
  if (matrix_) matrix_->add(record, scores);
  if (!variants_) return;
  llr_.clear();
  skip_.clear();
  for (const pipeline::VariantScore& score : scores) {
    llr_.push_back(static_cast<float>(score.llr));
    skip_.push_back(pipeline::to_string(score.skip));
  }
  variants_->write(record, llr_, skip_);
}

void Outputs::finish() {
  if (matrix_) matrix_->finish();
  if (variants_) variants_->finish_writing();
  if (table_) table_->finish_writing();
  if (npy_) npy_->finish_writing();
  if (npy_) npy_->commit();
  if (table_) table_->commit();
  if (variants_) variants_->commit();
}

}  // namespace genomamba::apps::variants
