// SPDX-License-Identifier: MIT
// What every fuzzer needs: the entry point's declaration, and its bytes as a file that has a path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Called by libFuzzer. Only genomamba::Error may be thrown inside, and is expected; anything else
/// that leaves it is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace genomamba::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Replaces the content of one file in memory by `bytes`; returns its path, the same each time.
const std::string& write_memory_file(std::string_view bytes);

}  // namespace genomamba::fuzz
