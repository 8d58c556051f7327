// SPDX-License-Identifier: MIT
#include "variant_site.hpp"

#include <algorithm>
#include <cmath>

namespace genomamba::pipeline {

std::size_t VariantSite::n_extra() const noexcept {
  std::size_t n = 0;
  for (const SiteAllele& allele : alleles) {
    n = std::max(n, allele.ref_length - std::min(allele.ref_length, allele.alt.size()));
  }
  return n;
}

std::string VariantSite::haplotype(const SiteAllele& allele) const {
  std::string letters = allele.alt;
  letters.append(after, std::min(allele.ref_length, after.size()));
  letters.resize(std::min(letters.size(), right));
  return letters;
}

double difference_of_terms(std::span<const double> alt, std::span<const double> ref) noexcept {
  double difference = 0;
  auto a = alt.begin();
  auto r = ref.begin();
  for (;;) {
    const auto is_term = [](double value) { return !std::isnan(value); };
    a = std::find_if(a, alt.end(), is_term);
    r = std::find_if(r, ref.end(), is_term);
    if (a == alt.end() || r == ref.end()) return difference;
    difference += *a++ - *r++;
  }
}

}  // namespace genomamba::pipeline
