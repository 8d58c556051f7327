// SPDX-License-Identifier: MIT
// VariantSite: alleles that change the reference from the same base on, in the direction of
// reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genomamba::pipeline {

/// A trimmed allele as the strand of its site reads it, and whose score it is.
struct SiteAllele {
  std::size_t ref_length = 0;  ///< reference bases that it replaces
  std::string alt;
  std::size_t record = 0;     ///< index in the batch
  std::size_t alt_index = 0;  ///< of the record
  double llr = 0;
};

struct VariantSite {
  std::size_t contig = 0;
  std::uint64_t boundary = 0;  ///< contig position between what is before and what is changed
  bool reverse = false;        ///< read from the other strand
  std::string before;          ///< reference letters before the change, at most options.left()
  std::string after;           ///< reference letters from the first changed base on
  std::size_t right = 0;       ///< letters of a haplotype from the first changed base on, at most
  std::vector<SiteAllele> alleles;

  /// Reference letters that the deletions need behind those of the reference's own window.
  std::size_t n_extra() const noexcept;
  /// The reference from the first changed base on, at most `length` letters.
  std::string_view reference(std::size_t length) const noexcept {
    return std::string_view(after).substr(0, length);
  }
  /// An alternative haplotype from the first changed base on, at most `right` letters: the
  /// equal-length rule reads the flank further after a deletion.
  std::string haplotype(const SiteAllele& allele) const;
};

/// What stands for the ln P of a position that is no term: its letter is none of A, C, G, T, or
/// nothing is known of it.
inline constexpr double kNoTerm = std::numeric_limits<double>::quiet_NaN();

/// Sum of `alt` minus sum of `ref`, over as many terms of each, from the first on, as the one with
/// fewer terms has.
double difference_of_terms(std::span<const double> alt, std::span<const double> ref) noexcept;

}  // namespace genomamba::pipeline
