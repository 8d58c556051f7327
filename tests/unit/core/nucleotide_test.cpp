// SPDX-License-Identifier: MIT
#include "genomamba/core/nucleotide.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

using genomamba::LetterPolicy;
using genomamba::normalize_letters;

TEST_CASE("The standard policy reads lower case, U and IUPAC letters") {
  std::string sequence = "acgtuRYn";
  const auto check = normalize_letters(sequence, LetterPolicy::kStandard);
  CHECK_FALSE(check.bad_position.has_value());
  CHECK(sequence == "ACGTTNNN");
  CHECK(check.counts.n_uracil == 1);
  CHECK(check.counts.n_iupac == 2);
}

TEST_CASE("The exact policy checks and changes nothing") {
  std::string sequence = "acgURYn";
  const auto check = normalize_letters(sequence, LetterPolicy::kExact);
  CHECK_FALSE(check.bad_position.has_value());
  CHECK(sequence == "acgURYn");
  CHECK(check.counts.n_iupac == 0);
}

TEST_CASE("Gaps, digits, NUL and protein letters are bad at their position") {
  const std::vector<std::string> bad_sequences = {"AC-GT", "AC1GT", std::string("AC\0GT", 5),
                                                  "ACEGT"};
  for (std::string sequence : bad_sequences) {
    const auto check = normalize_letters(sequence, LetterPolicy::kStandard);
    REQUIRE(check.bad_position.has_value());
    CHECK(*check.bad_position == 2);
  }
}

TEST_CASE("reverse_complement is its own inverse on IUPAC letters") {
  std::string sequence = "AACGTNRYSWKMBDHVacgt";
  const std::string before = sequence;
  genomamba::reverse_complement(sequence);
  CHECK(sequence == "acgtBDHVKMWSRYNACGTT");
  genomamba::reverse_complement(sequence);
  CHECK(sequence == before);
}

TEST_CASE("complement of U is A and of anything else itself") {
  CHECK(genomamba::complement('U') == 'A');
  CHECK(genomamba::complement('u') == 'a');
  CHECK(genomamba::complement('-') == '-');
}
