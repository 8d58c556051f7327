// SPDX-License-Identifier: MIT
#include "genomamba/io/sequence_record.hpp"

#include <fmt/format.h>

#include <string_view>

namespace genomamba::io {
namespace {

constexpr std::size_t kShownNameBytes = 100;

/// Names come from files: no control character of theirs may reach a terminal, and a long one is
/// cut.
std::string shown(std::string_view name) {
  std::string text;
  for (char c : name.substr(0, kShownNameBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  if (name.size() > kShownNameBytes) text += "...";
  return text;
}

}  // namespace

std::string describe(const SequenceRecord& record) {
  return fmt::format("record {} ({})", record.number, shown(record.id));
}

}  // namespace genomamba::io
