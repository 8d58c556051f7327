// SPDX-License-Identifier: MIT
#include "variant_summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace genomamba::report {
namespace {

/// Codes beyond what genomamba writes are counted together: a file cannot make the table endless.
constexpr std::size_t kMostCodes = 40;

bool is_bases(std::string_view allele) {
  return !allele.empty() && std::all_of(allele.begin(), allele.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  });
}

}  // namespace

std::string_view to_string(VariantType type) {
  constexpr std::array<std::string_view, kVariantTypes> kNames = {"SNV", "insertion", "deletion",
                                                                  "MNV", "complex",   "other"};
  return kNames[static_cast<std::size_t>(type)];
}

VariantType type_of(std::string_view ref, std::string_view alt) {
  if (!is_bases(ref) || !is_bases(alt)) return VariantType::kOther;
  while (!ref.empty() && !alt.empty() && ref.back() == alt.back()) {
    ref.remove_suffix(1);
    alt.remove_suffix(1);
  }
  while (!ref.empty() && !alt.empty() && ref.front() == alt.front()) {
    ref.remove_prefix(1);
    alt.remove_prefix(1);
  }
  if (ref.empty()) return alt.empty() ? VariantType::kOther : VariantType::kInsertion;
  if (alt.empty()) return VariantType::kDeletion;
  if (ref.size() != alt.size()) return VariantType::kComplex;
  return ref.size() == 1 ? VariantType::kSnv : VariantType::kMnv;
}

void LlrDistribution::add(double llr) {
  constexpr double kWidest = 1e6;
  lowest = n_scored == 0 ? llr : std::min(lowest, llr);
  highest = n_scored == 0 ? llr : std::max(highest, llr);
  ++n_scored;
  n_below_zero += llr < 0 ? 1 : 0;
  sum += llr;
  ++bins[static_cast<std::int64_t>(std::floor(std::clamp(llr, -kWidest, kWidest) / kBin))];
}

void VariantSummary::add(const io::ScoredVariant& variant) {
  ++n_records_;
  for (const io::ScoredAllele& allele : variant.alleles) {
    LlrDistribution& distribution =
        by_type_[static_cast<std::size_t>(type_of(variant.ref, allele.alt))];
    ++distribution.n_alleles;
    const bool is_scored = !std::isnan(allele.llr);
    if (is_scored) {
      distribution.add(allele.llr);
      keep(variant, allele);
    }
    if (!allele.skip.empty()) {
      const bool is_room = skipped_.size() < kMostCodes || skipped_.count(allele.skip) > 0;
      ++skipped_[is_room ? allele.skip : "(other codes)"];
    } else if (!is_scored) {
      ++n_without_reason_;
    }
  }
}

void VariantSummary::keep(const io::ScoredVariant& variant, const io::ScoredAllele& allele) {
  if (lowest_.size() == n_lowest_) {
    const auto last = std::prev(lowest_.end());
    if (allele.llr >= last->first) return;
    lowest_.erase(last);
  }
  lowest_.emplace(allele.llr, LowAllele{variant.contig, variant.position, variant.id, variant.ref,
                                        allele.alt, allele.llr});
}

std::vector<LowAllele> VariantSummary::lowest() const {
  std::vector<LowAllele> list;
  for (const auto& [llr, allele] : lowest_)
    list.push_back(allele);
  return list;
}

}  // namespace genomamba::report
