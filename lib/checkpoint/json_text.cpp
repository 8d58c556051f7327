// SPDX-License-Identifier: MIT
#include "json_text.hpp"

#include <array>

#include "genomamba/core/error.hpp"

namespace genomamba::checkpoint {
namespace {

constexpr std::array<std::string_view, 3> kBareWords = {"-Infinity", "Infinity", "NaN"};

/// Index just behind the string that begins at text[begin] == '"'; text.size() if it never ends.
std::size_t skip_string(std::string_view text, std::size_t begin) {
  std::size_t i = begin + 1;
  while (i < text.size() && text[i] != '"')
    i += text[i] == '\\' ? 2U : 1U;
  return i < text.size() ? i + 1 : text.size();
}

}  // namespace

std::string prepare_json(std::string_view text, std::size_t max_depth, const std::string& path) {
  std::string result;
  result.reserve(text.size());
  std::size_t depth = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t end = skip_string(text, i);
      result.append(text.substr(i, end - i));
      i = end;
      continue;
    }
    if (c == '{' || c == '[') {
      if (++depth > max_depth) {
        throw CheckpointError(path, "", "JSON nested deeper than " + std::to_string(max_depth));
      }
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
    std::string_view bare;
    for (const std::string_view word : kBareWords) {
      if (text.substr(i, word.size()) == word) bare = word;
    }
    if (bare.empty()) {
      result += c;
      ++i;
    } else {
      result.append("\"").append(bare).append("\"");
      i += bare.size();
    }
  }
  return result;
}

std::string printable(std::string_view name) {
  constexpr std::size_t kMaxShown = 200;
  std::string result(name.substr(0, kMaxShown));
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return name.size() > kMaxShown ? result + "..." : result;
}

bool is_git_lfs_pointer(std::string_view head) {
  return head.substr(0, 23) == "version https://git-lfs";
}

void throw_git_lfs_pointer(const std::string& path) {
  throw CheckpointError(path, "",
                        "is a Git LFS pointer, not the weights: fetch them with 'git lfs pull', or "
                        "download the file itself");
}

}  // namespace genomamba::checkpoint
