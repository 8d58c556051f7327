// SPDX-License-Identifier: MIT
#include "genomamba/tokenizer/alphabet.hpp"

#include <algorithm>

namespace genomamba::tokenizer {
namespace {

const std::vector<Alphabet>& known_alphabets() {
  static const std::vector<Alphabet> alphabets = {
#include "alphabets.inc"
  };
  return alphabets;
}

}  // namespace

TokenId Alphabet::max_id() const {
  TokenId largest = -1;
  for (const auto& [letter, id] : letters)
    largest = std::max(largest, id);
  for (const auto& [special, id] : specials)
    largest = std::max(largest, id);
  return largest;
}

std::optional<Alphabet> find_alphabet(std::string_view name) {
  const auto& all = known_alphabets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Alphabet& a) { return a.name == name; });
  if (found == all.end()) return std::nullopt;
  return *found;
}

std::vector<std::string> alphabet_names() {
  std::vector<std::string> names;
  for (const Alphabet& alphabet : known_alphabets())
    names.push_back(alphabet.name);
  return names;
}

std::optional<Alphabet> alphabet_for_vocab_size(std::size_t vocab_size) {
  // The larger size of each pair is the table padded to a multiple of 8.
  constexpr std::size_t kCaduceus = 12, kCaduceusPadded = 16, kPlantcad = 7, kPlantcadPadded = 8;
  if (vocab_size == kCaduceus || vocab_size == kCaduceusPadded) return find_alphabet("caduceus");
  if (vocab_size == kPlantcad || vocab_size == kPlantcadPadded) return find_alphabet("plantcad");
  return std::nullopt;
}

}  // namespace genomamba::tokenizer
