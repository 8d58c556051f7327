// SPDX-License-Identifier: MIT
// A PyTorch archive whose data.pkl is the input, beside two storages: state dicts, shapes, strides.
#include "torch_file.hpp"

#include "genomamba/core/error.hpp"
#include "memory_file.hpp"
#include "read_tensors.hpp"

namespace {

/// Little-endian fields of zip records (PKWARE's APPNOTE 6.3).
void put(std::string& out, std::uint64_t value, int n_bytes) {
  for (int i = 0; i < n_bytes; ++i, value >>= 8)
    out += static_cast<char>(value & 0xFF);
}

/// Stored entries without checksums, which the reader does not look at.
class ZipText {
 public:
  void add(const std::string& name, std::string_view bytes) {
    const std::size_t offset = text_.size();
    put(text_, 0x04034b50, 4);
    put_common(text_, name, bytes);
    text_ += name;
    text_ += bytes;
    put(directory_, 0x02014b50, 4);
    put(directory_, 0, 2);
    put_common(directory_, name, bytes);
    put(directory_, 0, 10);
    put(directory_, 0, 4);
    put(directory_, offset, 4);
    directory_ += name;
    ++n_entries_;
  }

  std::string finish() const {
    std::string text = text_ + directory_;
    put(text, 0x06054b50, 4);
    put(text, 0, 4);
    put(text, n_entries_, 2);
    put(text, n_entries_, 2);
    put(text, directory_.size(), 4);
    put(text, text_.size(), 4);
    put(text, 0, 2);
    return text;
  }

 private:
  static void put_common(std::string& out, const std::string& name, std::string_view bytes) {
    put(out, 0, 14);  // version, flags, method, time, date, checksum
    put(out, bytes.size(), 4);
    put(out, bytes.size(), 4);
    put(out, name.size(), 2);
    put(out, 0, 2);
  }

  std::string text_, directory_;
  std::uint64_t n_entries_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace genomamba;  // NOLINT(google-build-using-namespace)
  ZipText zip;
  zip.add("m/data.pkl", fuzz::as_text(data, size));
  zip.add("m/data/0", std::string(96, '\x3f'));
  zip.add("m/data/1", std::string(16, '\x01'));
  try {
    fuzz::read_tensors(*checkpoint::open_torch_file(fuzz::write_memory_file(zip.finish())));
  } catch (const Error&) {
  }
  return 0;
}
