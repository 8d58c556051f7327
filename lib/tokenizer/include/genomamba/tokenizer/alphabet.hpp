// SPDX-License-Identifier: MIT
// Alphabet: which letter is which token. Data, not code: the families' tables are in alphabets.inc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "genomamba/core/token.hpp"

namespace genomamba::tokenizer {

/// How letter case is treated before the look-up.
enum class CaseFolding { kNone, kUpper, kLower };

/// A character-level vocabulary. `letters` and `specials` hold (text, id); ids may leave gaps.
struct Alphabet {
  std::string name;
  std::vector<std::pair<char, TokenId>> letters;
  std::vector<std::pair<std::string, TokenId>> specials;  ///< "[MASK]", "[UNK]", ...
  CaseFolding case_folding = CaseFolding::kNone;
  /// Specials put around a sequence when asked for (`--special-tokens`), by name; empty: none.
  std::string prefix;
  std::string suffix;

  TokenId max_id() const;
};

/// "caduceus", "hyenadna" or "plantcad" (models.md section 3's tables); nothing for another name.
std::optional<Alphabet> find_alphabet(std::string_view name);
/// The names find_alphabet knows, for messages.
std::vector<std::string> alphabet_names();
/// The family's rule for a model without tokenizer files: vocabulary of 12 or 16 rows: caduceus, 7
/// or 8: plantcad.
std::optional<Alphabet> alphabet_for_vocab_size(std::size_t vocab_size);

}  // namespace genomamba::tokenizer
