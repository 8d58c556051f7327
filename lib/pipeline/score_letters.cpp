// SPDX-License-Identifier: MIT
#include "score_letters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "genomamba/core/error.hpp"

namespace genomamba::pipeline {

void ScoreLetters::count(std::string_view letters) {
  if (policy_ == LetterPolicy::kExact) return;
  for (const char c : letters) {
    switch (c) {
      case 'A':
      case 'C':
      case 'G':
      case 'T':
      case 'N':
      case 'a':
      case 'c':
      case 'g':
      case 't':
      case 'n':
        break;
      case 'U':
      case 'u':
        ++counts_.n_uracil;
        break;
      default:
        ++counts_.n_iupac;
    }
  }
}

void ScoreLetters::read(std::size_t contig, std::uint64_t begin, std::uint64_t end, Counted counted,
                        std::string& letters) {
  reference_.read(contig, begin, end, letters);
  const std::uint64_t from = std::clamp(counted.begin, begin, end);
  const std::uint64_t to = std::clamp(counted.end, begin, end);
  if (from < to) {
    count(std::string_view(letters).substr(static_cast<std::size_t>(from - begin),
                                           static_cast<std::size_t>(to - from)));
  }
  const LetterCheck check = normalize_letters(letters, policy_);
  if (!check.bad_position) return;
  const auto byte = static_cast<unsigned char>(letters[*check.bad_position]);
  const std::string shown = byte > 0x20 && byte < 0x7f
                                ? fmt::format("'{}'", static_cast<char>(byte))
                                : fmt::format("byte 0x{:02x}", byte);
  throw InputError(reference_.path(), "contig " + reference_.contigs()[contig].name,
                   fmt::format("{} at base {} is not a nucleotide letter", shown,
                               begin + *check.bad_position + 1));
}

}  // namespace genomamba::pipeline
