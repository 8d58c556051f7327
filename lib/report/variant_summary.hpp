// SPDX-License-Identifier: MIT
// Counts and distributions of a scored VCF, made while it is read. Private to report.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/io/scored_vcf_reader.hpp"

namespace genomamba::report {

enum class VariantType { kSnv, kInsertion, kDeletion, kMnv, kComplex, kOther };
constexpr std::size_t kVariantTypes = 6;
std::string_view to_string(VariantType type);

/// By the bases that are left when those shared at the end, then at the start, are taken away.
/// kOther: symbolic, breakend, '*' or no alternative.
VariantType type_of(std::string_view ref, std::string_view alt);

/// One allele with its score.
struct LowAllele {
  std::string contig;
  std::uint64_t position = 0;  ///< 0-based
  std::string id;
  std::string ref;
  std::string alt;
  float llr = 0;
};

/// Scores of one type: exact count, mean, ends; counts in bins of 0.05.
struct LlrDistribution {
  static constexpr double kBin = 0.05;
  std::uint64_t n_alleles = 0;  ///< with or without a score
  std::uint64_t n_scored = 0;
  std::uint64_t n_below_zero = 0;
  double sum = 0;
  double lowest = 0;
  double highest = 0;
  std::map<std::int64_t, std::uint64_t> bins;  ///< bin i: [i, i + 1) * kBin

  void add(double llr);
};

class VariantSummary {
 public:
  /// `n_lowest`: how many alleles to keep.
  explicit VariantSummary(std::size_t n_lowest) : n_lowest_(n_lowest) {}

  void add(const io::ScoredVariant& variant);

  std::uint64_t n_records() const { return n_records_; }
  std::uint64_t n_without_reason() const { return n_without_reason_; }
  const std::array<LlrDistribution, kVariantTypes>& by_type() const { return by_type_; }
  const std::map<std::string, std::uint64_t>& skipped() const { return skipped_; }
  /// The lowest scores first; of equal ones, the first in the file.
  std::vector<LowAllele> lowest() const;

 private:
  void keep(const io::ScoredVariant& variant, const io::ScoredAllele& allele);

  std::size_t n_lowest_;
  std::uint64_t n_records_ = 0;
  std::uint64_t n_without_reason_ = 0;  ///< alleles with neither score nor code
  std::array<LlrDistribution, kVariantTypes> by_type_;
  std::map<std::string, std::uint64_t> skipped_;
  std::multimap<float, LowAllele> lowest_;
};

}  // namespace genomamba::report
