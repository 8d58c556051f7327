// SPDX-License-Identifier: MIT
// A whole .safetensors file: header and elements.
#include "genomamba/checkpoint/tensor_source.hpp"
#include "genomamba/core/error.hpp"
#include "memory_file.hpp"
#include "read_tensors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace genomamba;  // NOLINT(google-build-using-namespace)
  const std::string& path = fuzz::write_memory_file(fuzz::as_text(data, size));
  try {
    fuzz::read_tensors(*checkpoint::open_safetensors(path));
  } catch (const Error&) {
  }
  return 0;
}
