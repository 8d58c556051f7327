// SPDX-License-Identifier: MIT
#include "genomamba/io/text_reader.hpp"

#include <sys/stat.h>

#include "byte_source.hpp"
#include "genomamba/core/error.hpp"
#include "line_reader.hpp"

namespace genomamba::io {

struct TextReader::Impl {
  LineReader lines;
};

TextReader::TextReader(const std::string& path)
    : impl_(std::make_unique<Impl>(Impl{LineReader(path)})) {}
TextReader::~TextReader() = default;
TextReader::TextReader(TextReader&&) noexcept = default;

bool TextReader::next(std::string& line) {
  return impl_->lines.next(line);
}

std::uint64_t TextReader::number() const noexcept {
  return impl_->lines.number();
}

std::string first_bytes(const std::string& path, std::size_t n) {
  OpenedInput input = open_input(path);
  if (!S_ISREG(input.at_open.st_mode)) {
    throw InputError(input.name, "", "is no regular file, and has to be read more than once");
  }
  std::string bytes(n, '\0');
  std::size_t size = 0;
  std::unique_ptr<ByteSource> source;
  if (detect_compression(input) == Compression::kZstd) {
    source = make_zstd_source(std::move(input), nullptr);
  } else {
    source = std::make_unique<BgzfSource>(std::move(input), 0, nullptr);
  }
  while (size < n) {
    const std::size_t got = source->read(bytes.data() + size, n - size);
    if (got == 0) break;
    size += got;
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace genomamba::io
