// SPDX-License-Identifier: MIT
// The restricted unpickler alone.
#include "pickle.hpp"

#include "genomamba/core/error.hpp"
#include "memory_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace genomamba;  // NOLINT(google-build-using-namespace)
  try {
    checkpoint::read_pickle(fuzz::as_text(data, size), "fuzz.bin", "data.pkl");
  } catch (const Error&) {
  }
  return 0;
}
