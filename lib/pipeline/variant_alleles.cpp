// SPDX-License-Identifier: MIT
#include "variant_alleles.hpp"

#include <algorithm>

#include "base_log_probs.hpp"

namespace genomamba::pipeline {
namespace {

char upper(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool same(char a, char b) noexcept {
  return upper(a) == upper(b);
}

}  // namespace

std::string_view to_string(VariantSkip skip) noexcept {
  switch (skip) {
    case VariantSkip::kNone:
      return "";
    case VariantSkip::kRefMismatch:
      return "ref_mismatch";
    case VariantSkip::kSymbolic:
      return "symbolic";
    case VariantSkip::kBreakend:
      return "breakend";
    case VariantSkip::kStar:
      return "star";
    case VariantSkip::kNoAlt:
      return "no_alt";
    case VariantSkip::kNWindow:
      return "n_window";
    case VariantSkip::kTooLong:
      return "too_long";
    case VariantSkip::kNotAcgt:
      return "not_acgt";
    case VariantSkip::kContigMissing:
      return "contig_missing";
  }
  return "";
}

VariantSkip skip_by_form(std::string_view alt) noexcept {
  if (alt.empty() || alt == ".") return VariantSkip::kNoAlt;
  if (alt == "*") return VariantSkip::kStar;
  if (alt.find_first_of("[]") != std::string_view::npos) return VariantSkip::kBreakend;
  if (alt.find('<') != std::string_view::npos) return VariantSkip::kSymbolic;
  // A single breakend: ".ACG" or "ACG.".
  if (alt.front() == '.' || alt.back() == '.') return VariantSkip::kBreakend;
  return VariantSkip::kNone;
}

Trimmed trim_alleles(std::string_view ref, std::string_view alt) noexcept {
  std::size_t n = 0;
  while (n < std::min(ref.size(), alt.size()) && same(ref[n], alt[n]))
    ++n;
  ref.remove_prefix(n);
  alt.remove_prefix(n);
  while (!ref.empty() && !alt.empty() && same(ref.back(), alt.back())) {
    ref.remove_suffix(1);
    alt.remove_suffix(1);
  }
  return {n, ref, alt};
}

bool is_acgt(std::string_view letters) noexcept {
  return std::all_of(letters.begin(), letters.end(), [](char c) { return base_index(c) < kBases; });
}

bool same_letters(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

}  // namespace genomamba::pipeline
