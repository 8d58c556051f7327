// SPDX-License-Identifier: MIT
// The directory of a zip file, and the bytes of each entry; then the same file as torch.save's.
#include "zip_archive.hpp"

#include "genomamba/core/error.hpp"
#include "memory_file.hpp"
#include "read_tensors.hpp"
#include "torch_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace genomamba;  // NOLINT(google-build-using-namespace)
  const std::string_view text = fuzz::as_text(data, size);
  try {
    const checkpoint::ZipArchive archive(
        checkpoint::make_memory_source(std::string(text), "fuzz.zip"));
    for (const auto& [name, entry] : archive.entries())
      archive.read(name, size);
  } catch (const Error&) {
  }
  try {
    fuzz::read_tensors(*checkpoint::open_torch_file(fuzz::write_memory_file(text)));
  } catch (const Error&) {
  }
  return 0;
}
