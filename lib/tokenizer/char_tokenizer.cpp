// SPDX-License-Identifier: MIT
#include "genomamba/tokenizer/char_tokenizer.hpp"

#include <cassert>

#include "genomamba/core/error.hpp"

namespace genomamba::tokenizer {
namespace {

constexpr std::string_view kUnknown = "[UNK]";

// Not std::toupper: the answer must not depend on the locale.
char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

char fold(char c, CaseFolding folding) {
  switch (folding) {
    case CaseFolding::kUpper:
      return to_upper(c);
    case CaseFolding::kLower:
      return to_lower(c);
    case CaseFolding::kNone:
      break;
  }
  return c;
}

/// True if the table knows the base in the case that it reads (or in either case, without folding).
bool has_base(const Alphabet& alphabet, char base) {
  for (const auto& [letter, id] : alphabet.letters) {
    if (to_upper(letter) == base && fold(letter, alphabet.case_folding) == letter) return true;
  }
  return false;
}

void check_ids(const Alphabet& alphabet, std::size_t vocab_size) {
  const auto check = [&](TokenId id, const std::string& text) {
    if (id >= 0 && static_cast<std::size_t>(id) < vocab_size) return;
    throw UsageError("tokenizer " + alphabet.name + ": token " + text + " has id " +
                     std::to_string(id) + ", but the model has " + std::to_string(vocab_size) +
                     " embeddings");
  };
  for (const auto& [letter, id] : alphabet.letters)
    check(id, std::string(1, letter));
  for (const auto& [special, id] : alphabet.specials)
    check(id, special);
}

}  // namespace

CharTokenizer::CharTokenizer(const Alphabet& alphabet, std::size_t vocab_size)
    : alphabet_(alphabet) {
  for (char base : std::string_view("ACGT")) {
    if (!has_base(alphabet_, base)) {
      throw UsageError("tokenizer " + alphabet_.name + ": no token for " + std::string(1, base));
    }
  }
  check_ids(alphabet_, vocab_size);
  const std::optional<TokenId> unknown = special(kUnknown);
  if (!unknown) throw UsageError("tokenizer " + alphabet_.name + ": no token [UNK]");
  table_.fill(*unknown);
  for (std::size_t byte = 0; byte < table_.size(); ++byte) {
    const char folded = fold(static_cast<char>(byte), alphabet_.case_folding);
    for (const auto& [letter, id] : alphabet_.letters) {
      if (letter == folded) table_[byte] = id;
    }
  }
  const auto add_special = [&](const std::string& name, std::vector<TokenId>& tokens) {
    if (name.empty()) return;
    const std::optional<TokenId> id = special(name);
    if (!id) throw UsageError("tokenizer " + alphabet_.name + ": no token " + name);
    tokens.push_back(*id);
  };
  add_special(alphabet_.prefix, prefix_);
  add_special(alphabet_.suffix, suffix_);
}

void CharTokenizer::encode(std::string_view letters, std::span<TokenId> tokens) const noexcept {
  assert(letters.size() == tokens.size());
  for (std::size_t i = 0; i < letters.size(); ++i)
    tokens[i] = token(letters[i]);
}

std::optional<TokenId> CharTokenizer::special(std::string_view name) const {
  for (const auto& [special, id] : alphabet_.specials) {
    if (special == name) return id;
  }
  return std::nullopt;
}

}  // namespace genomamba::tokenizer
