// SPDX-License-Identifier: MIT
// What the letters of a nucleotide sequence mean, before any tokenizer: IUPAC policy and
// complement.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace genomamba {

/// How letters are read (`--letters` of the apps).
enum class LetterPolicy {
  kStandard,  ///< upper case, U as T, other IUPAC letters as N
  kExact,     ///< as they are; the tokenizer's own table decides (parity with the authors' code)
};

/// What normalize_letters changed.
struct LetterCounts {
  std::size_t n_iupac = 0;   ///< R Y S W K M B D H V read as N
  std::size_t n_uracil = 0;  ///< U read as T
};

/// Result of normalize_letters: `bad_position` (0-based) is the first character that is no
/// nucleotide letter.
struct LetterCheck {
  LetterCounts counts;
  std::optional<std::size_t> bad_position;
};

/// Applies `policy` in place and checks every character. Gaps, digits, NUL and letters outside
/// IUPAC are bad; the rest of the sequence is unchanged after a bad one. With kExact letters stay
/// as they are but are checked.
LetterCheck normalize_letters(std::string& sequence, LetterPolicy policy);

/// Complement of an IUPAC letter (case kept, U -> A); any other character is returned as it is.
char complement(char letter) noexcept;

/// Reverses `sequence` and complements each letter, in place.
void reverse_complement(std::string& sequence) noexcept;

}  // namespace genomamba
