// SPDX-License-Identifier: MIT
// write_safetensors_file: float tensors as a file, for tests that read it back.
#pragma once

#include <fstream>
#include <span>
#include <string>

#include "genomamba/checkpoint/safetensors_writer.hpp"

namespace genomamba::test {

inline void write_safetensors_file(const std::string& path,
                                   std::span<const checkpoint::NamedArray> tensors) {
  std::ofstream stream(path, std::ios::binary);
  checkpoint::write_safetensors(tensors, [&](std::span<const std::byte> bytes) {
    stream.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
  });
}

}  // namespace genomamba::test
