// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/variant_saturation.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "base_log_probs.hpp"
#include "score_letters.hpp"

namespace genomamba::pipeline {
namespace {

constexpr std::string_view kLetters = "ACGT";
constexpr std::uint64_t kReadAtOnce = 1 << 14;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

}  // namespace

io::VariantHeader saturation_header(const io::ReferenceReader& reference,
                                    std::span<const io::Region> regions) {
  std::set<std::size_t> numbers;
  for (const io::Region& region : regions)
    numbers.insert(region.contig);
  std::vector<io::Contig> contigs;
  for (const std::size_t number : numbers)
    contigs.push_back(reference.contigs()[number]);
  return io::VariantHeader::of_contigs(contigs);
}

void SaturationSource::read_letters() {
  const io::Region& region = regions_[region_];
  const std::uint64_t begin = region.begin + next_;
  const std::uint64_t end = std::min(region.end, begin + kReadAtOnce);
  ScoreLetters(reference_, policy_).read(region.contig, begin, end, {}, letters_);
  loaded_ = end - region.begin;
}

bool SaturationSource::read(io::VariantRecord& record) {
  for (; region_ < regions_.size(); ++region_, next_ = 0, loaded_ = 0) {
    const io::Region& region = regions_[region_];
    while (next_ < region.length()) {
      if (next_ >= loaded_) read_letters();
      const char letter = letters_[letters_.size() - static_cast<std::size_t>(loaded_ - next_)];
      const std::uint64_t position = region.begin + next_++;
      const std::size_t base = base_index(letter);
      if (base == kBases) continue;
      std::string alleles(1, kLetters[base]);
      for (std::size_t b = 0; b < kBases; ++b) {
        if (b != base) alleles.append(",").push_back(kLetters[b]);
      }
      record.assign(header_, reference_.contigs()[region.contig].name, position, alleles);
      return true;
    }
  }
  return false;
}

SaturationMatrix::SaturationMatrix(io::ScoreTableWriter& writer,
                                   const io::ReferenceReader& reference,
                                   std::span<const io::Region> regions)
    : writer_(writer), reference_(reference), regions_(regions) {
  if (regions_.empty()) return;
  writer_.begin_region(regions_.front());
  next_ = regions_.front().begin;
}

void SaturationMatrix::write_row(char letter, const Row& row) {
  writer_.write(next_++, std::string_view(&letter, 1), row);
}

void SaturationMatrix::end_region() {
  while (next_ < regions_[region_].end)
    write_row('N', {kNaN, kNaN, kNaN, kNaN});
  if (++region_ == regions_.size()) return;
  writer_.begin_region(regions_[region_]);
  next_ = regions_[region_].begin;
}

void SaturationMatrix::fill_to(const std::string& contig, std::uint64_t position) {
  const auto holds = [&](const io::Region& region) {
    return reference_.contigs()[region.contig].name == contig && next_ <= position &&
           position < region.end;
  };
  while (!holds(regions_[region_]))
    end_region();
  while (next_ < position)
    write_row('N', {kNaN, kNaN, kNaN, kNaN});
}

void SaturationMatrix::add(const io::VariantRecord& record, std::span<const VariantScore> scores) {
  fill_to(record.contig(), static_cast<std::uint64_t>(record.position()));
  Row row{};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    row[base_index(record.alt(i).front())] = static_cast<float>(scores[i].llr);
  }
  write_row(record.ref().front(), row);
}

void SaturationMatrix::finish() {
  while (region_ < regions_.size())
    end_region();
}

}  // namespace genomamba::pipeline
