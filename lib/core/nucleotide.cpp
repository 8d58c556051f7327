// SPDX-License-Identifier: MIT
#include "genomamba/core/nucleotide.hpp"

#include <algorithm>
#include <array>

namespace genomamba {
namespace {

constexpr std::string_view kIupac = "ACGTUNRYSWKMBDHV";
constexpr std::string_view kPairs = "ACGTUNRYSWKMBDHV";
constexpr std::string_view kComplements = "TGCAANYRSWMKVHDB";
constexpr char kLowerBit = 0x20;

using ByteTable = std::array<char, 256>;

constexpr std::size_t index_of(char c) {
  return static_cast<unsigned char>(c);
}

constexpr char to_lower(char c) {
  return static_cast<char>(c | kLowerBit);
}

/// letter -> letter as the models read it; 0 for a character that is no nucleotide letter.
constexpr ByteTable make_standard_table() {
  ByteTable table{};
  for (char c : kIupac) {
    const char read = c == 'U' ? 'T' : (c == 'A' || c == 'C' || c == 'G' || c == 'T') ? c : 'N';
    table[index_of(c)] = read;
    table[index_of(to_lower(c))] = read;
  }
  return table;
}

constexpr ByteTable make_complement_table() {
  ByteTable table{};
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<char>(i);
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    table[index_of(kPairs[i])] = kComplements[i];
    table[index_of(to_lower(kPairs[i]))] = to_lower(kComplements[i]);
  }
  return table;
}

constexpr ByteTable kStandardTable = make_standard_table();
constexpr ByteTable kComplementTable = make_complement_table();

}  // namespace

LetterCheck normalize_letters(std::string& sequence, LetterPolicy policy) {
  LetterCheck check;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const char letter = sequence[i];
    const char read = kStandardTable[index_of(letter)];
    if (read == 0) {
      check.bad_position = i;
      return check;
    }
    if (policy == LetterPolicy::kExact) continue;
    const char upper = static_cast<char>(letter & ~kLowerBit);
    if (read != upper) ++(upper == 'U' ? check.counts.n_uracil : check.counts.n_iupac);
    sequence[i] = read;
  }
  return check;
}

char complement(char letter) noexcept {
  return kComplementTable[index_of(letter)];
}

void reverse_complement(std::string& sequence) noexcept {
  std::reverse(sequence.begin(), sequence.end());
  for (char& letter : sequence)
    letter = complement(letter);
}

}  // namespace genomamba
