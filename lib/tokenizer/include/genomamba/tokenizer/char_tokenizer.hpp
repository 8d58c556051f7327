// SPDX-License-Identifier: MIT
// CharTokenizer: one token a letter.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "genomamba/core/token.hpp"
#include "genomamba/tokenizer/alphabet.hpp"

namespace genomamba::tokenizer {

/// Immutable after construction, safe to share. Invariant: each byte has a token id below
/// vocab_size.
class CharTokenizer {
 public:
  /// Throws UsageError when the alphabet lacks A, C, G or T, or uses an id >= vocab_size
  /// (`vocab_size`: rows of the model's embedding, padding included).
  CharTokenizer(const Alphabet& alphabet, std::size_t vocab_size);

  /// Token of one character: its own, else [UNK]'s (N without an own token is [UNK] too).
  TokenId token(char letter) const noexcept { return table_[static_cast<unsigned char>(letter)]; }
  /// tokens[i] = token(letters[i]). Precondition: same size.
  void encode(std::string_view letters, std::span<TokenId> tokens) const noexcept;

  /// Tokens put before and after a sequence when special tokens are asked for.
  const std::vector<TokenId>& prefix() const noexcept { return prefix_; }
  const std::vector<TokenId>& suffix() const noexcept { return suffix_; }

  std::optional<TokenId> special(std::string_view name) const;
  const Alphabet& alphabet() const noexcept { return alphabet_; }

 private:
  Alphabet alphabet_;
  std::array<TokenId, 256> table_{};
  std::vector<TokenId> prefix_;
  std::vector<TokenId> suffix_;
};

}  // namespace genomamba::tokenizer
