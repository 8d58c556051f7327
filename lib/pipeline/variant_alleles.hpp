// SPDX-License-Identifier: MIT
// What an ALT is: a change of bases, or a reason why there is none to score.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "genomamba/pipeline/variant_pipeline.hpp"

namespace genomamba::pipeline {

/// kSymbolic, kBreakend, kStar, kNoAlt by the form of an ALT; kNone: letters, as far as can be
/// seen.
VariantSkip skip_by_form(std::string_view alt) noexcept;

/// The changed bases of a pair of alleles, without what both share: first at their starts, then at
/// their ends.
struct Trimmed {
  std::size_t n_before = 0;  ///< bases shared at the start
  std::string_view ref;
  std::string_view alt;
};
/// Case does not count. The views are of the arguments.
Trimmed trim_alleles(std::string_view ref, std::string_view alt) noexcept;

/// True if every letter is A, C, G or T in either case.
bool is_acgt(std::string_view letters) noexcept;

/// True if both have the same letters, whatever their case.
bool same_letters(std::string_view a, std::string_view b) noexcept;

}  // namespace genomamba::pipeline
