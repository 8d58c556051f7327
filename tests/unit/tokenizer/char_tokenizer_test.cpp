// SPDX-License-Identifier: MIT
#include "genomamba/tokenizer/char_tokenizer.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/tokenizer/alphabet.hpp"

namespace genomamba::tokenizer {
namespace {

std::vector<TokenId> tokens_of(const std::string& alphabet, std::size_t vocab_size,
                               const std::string& letters) {
  const CharTokenizer tokenizer(*find_alphabet(alphabet), vocab_size);
  std::vector<TokenId> tokens(letters.size());
  tokenizer.encode(letters, tokens);
  return tokens;
}

/// what() of the UsageError that making the tokenizer throws; empty if it throws none.
std::string refusal(const Alphabet& alphabet, std::size_t vocab_size) {
  try {
    const CharTokenizer tokenizer(alphabet, vocab_size);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("caduceus: upper-cased, N has a token, everything else is [UNK]") {
  CHECK(tokens_of("caduceus", 16, "ACGTNacgtn") ==
        std::vector<TokenId>{7, 8, 9, 10, 11, 7, 8, 9, 10, 11});
  CHECK(tokens_of("caduceus", 12, std::string("URY-u \0\xff", 8)) == std::vector<TokenId>(8, 6));
}

TEST_CASE("hyenadna: the same ids, but lower case is unknown") {
  CHECK(tokens_of("hyenadna", 16, "ACGTNacgtn") ==
        std::vector<TokenId>{7, 8, 9, 10, 11, 6, 6, 6, 6, 6});
}

TEST_CASE("plantcad: lower-cased, N is [UNK]") {
  CHECK(tokens_of("plantcad", 8, "ACGTacgtNnR-") ==
        std::vector<TokenId>{3, 4, 5, 6, 3, 4, 5, 6, 2, 2, 2, 2});
}

TEST_CASE("special tokens and what stands around a sequence") {
  const CharTokenizer caduceus(*find_alphabet("caduceus"), 16);
  CHECK(caduceus.prefix().empty());
  CHECK(caduceus.suffix() == std::vector<TokenId>{1});
  CHECK(caduceus.special("[MASK]") == 3);
  CHECK(caduceus.special("[PAD]") == 4);
  CHECK_FALSE(caduceus.special("[NONE]"));
  const CharTokenizer hyenadna(*find_alphabet("hyenadna"), 12);
  CHECK(hyenadna.prefix() == std::vector<TokenId>{0});
  CHECK(hyenadna.suffix() == std::vector<TokenId>{1});
  const CharTokenizer plantcad(*find_alphabet("plantcad"), 7);
  CHECK(plantcad.special("[MASK]") == 1);
  CHECK(plantcad.prefix().empty());
  CHECK(plantcad.suffix().empty());
}

TEST_CASE("alphabets by name and by vocabulary size") {
  CHECK(alphabet_names() == std::vector<std::string>{"caduceus", "hyenadna", "plantcad"});
  CHECK_FALSE(find_alphabet("Caduceus"));
  CHECK(find_alphabet("caduceus")->max_id() == 11);
  CHECK(find_alphabet("plantcad")->max_id() == 6);
  for (std::size_t size : {12u, 16u})
    CHECK(alphabet_for_vocab_size(size)->name == "caduceus");
  for (std::size_t size : {7u, 8u})
    CHECK(alphabet_for_vocab_size(size)->name == "plantcad");
  for (std::size_t size : {0u, 6u, 9u, 11u, 13u, 15u, 17u, 50280u}) {
    CHECK_FALSE(alphabet_for_vocab_size(size));
  }
}

TEST_CASE("an alphabet that does not fit the model is refused") {
  CHECK_THROWS_AS(CharTokenizer(*find_alphabet("caduceus"), 11), UsageError);
  CHECK_THROWS_AS(CharTokenizer(*find_alphabet("plantcad"), 6), UsageError);
  CHECK_THROWS_AS(CharTokenizer(*find_alphabet("plantcad"), 0), UsageError);

  Alphabet alphabet = *find_alphabet("caduceus");
  alphabet.letters[1].first = 'X';
  CHECK(contains(refusal(alphabet, 16), "no token for C"));

  alphabet = *find_alphabet("caduceus");
  alphabet.letters[0].second = -1;
  CHECK_THROWS_AS(CharTokenizer(alphabet, 16), UsageError);

  // Upper-case letters can never be looked up in a table that folds to lower case.
  alphabet = *find_alphabet("caduceus");
  alphabet.case_folding = CaseFolding::kLower;
  CHECK_THROWS_AS(CharTokenizer(alphabet, 16), UsageError);

  alphabet = *find_alphabet("plantcad");
  alphabet.specials.pop_back();
  CHECK(contains(refusal(alphabet, 8), "[UNK]"));

  alphabet = *find_alphabet("plantcad");
  alphabet.suffix = "[SEP]";
  CHECK(contains(refusal(alphabet, 8), "no token [SEP]"));
}

}  // namespace
}  // namespace genomamba::tokenizer
