// SPDX-License-Identifier: MIT
#include "genomamba/io/npy_reader.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

#include "byte_source.hpp"
#include "float16.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

/// From the format's specification, numpy.lib.format: magic, version, length of the header.
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = std::size_t{1} << 16;

void read_at(const OpenedInput& input, std::uint64_t offset, void* bytes, std::size_t n) {
  auto* at = static_cast<char*>(bytes);
  while (n > 0) {
    const ssize_t got = ::pread(input.fd, at, n, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw InputError(input.name, "", "cannot read: " + std::generic_category().message(errno));
    if (got == 0) throw InputError(input.name, "", "truncated");
    at += got;
    offset += static_cast<std::uint64_t>(got);
    n -= static_cast<std::size_t>(got);
  }
}

/// The text after `'key': ` up to `end`; empty if there is none.
std::string_view value_of(std::string_view header, std::string_view key, char end) {
  const std::string quoted = fmt::format("'{}':", key);
  std::size_t begin = header.find(quoted);
  if (begin == std::string_view::npos) return {};
  begin = header.find_first_not_of(" ('", begin + quoted.size());
  const std::size_t stop = header.find(end, std::min(begin, header.size()));
  if (stop == std::string_view::npos) return {};
  return header.substr(begin, stop - begin);
}

bool parse_shape(std::string_view text, std::uint64_t& rows, std::uint64_t& cols) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, rows);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ',') return false;
  const char* second = first.ptr + 1;
  while (second != end && *second == ' ')
    ++second;
  const auto last = std::from_chars(second, end, cols);
  return last.ec == std::errc() && last.ptr == end && cols > 0;
}

}  // namespace

struct NpyReader::Impl {
  OpenedInput input;
  std::uint64_t data_offset = 0;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::size_t item_bytes = sizeof(float);
  std::vector<char> buffer;

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(input.name, "", reason);
  }

  void read_header() {
    constexpr std::size_t kPreamble = 12;
    const auto file_bytes = static_cast<std::uint64_t>(input.at_open.st_size);
    if (!S_ISREG(input.at_open.st_mode)) fail("is no regular file");
    if (file_bytes < kPreamble) fail("is no .npy: too short");
    unsigned char start[kPreamble];
    read_at(input, 0, start, kPreamble);
    if (std::memcmp(start, kMagic.data(), kMagic.size()) != 0) fail("is no .npy");
    const bool is_first_version = start[6] == 1;
    std::size_t n_header = start[8] | static_cast<std::size_t>(start[9]) << 8;
    if (!is_first_version) {
      n_header |= static_cast<std::size_t>(start[10]) << 16 | static_cast<std::size_t>(start[11])
                                                                  << 24;
    }
    data_offset = (is_first_version ? 10U : 12U) + n_header;
    if (n_header > kLongestHeader || data_offset > file_bytes) fail("its header is damaged");
    std::string header(n_header, '\0');
    read_at(input, data_offset - n_header, header.data(), n_header);
    parse_header(header);
    check_size(file_bytes);
  }

  void parse_header(std::string_view header) {
    const std::string_view type = value_of(header, "descr", '\'');
    if (type == "<f2") {
      item_bytes = 2;
    } else if (type == "<f8") {
      item_bytes = sizeof(double);
    } else if (type != "<f4") {
      fail(fmt::format("holds numbers of type '{}'; <f2, <f4 and <f8 are read", type));
    }
    if (!value_of(header, "fortran_order", ',').starts_with("False"))
      fail("is in Fortran order; numpy.ascontiguousarray puts it right");
    if (!parse_shape(value_of(header, "shape", ')'), rows, cols))
      fail("is no matrix of two dimensions");
  }

  void check_size(std::uint64_t file_bytes) const {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / item_bytes;
    const bool overflows = rows > 0 && cols > most / rows;
    if (!overflows && data_offset + rows * cols * item_bytes == file_bytes) return;
    fail(
        fmt::format("has {} bytes, which its shape ({}, {}) does not fit", file_bytes, rows, cols));
  }

  void to_floats(std::span<float> values) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const char* const at = buffer.data() + i * item_bytes;
      if (item_bytes == sizeof(double)) {
        double value = 0;
        std::memcpy(&value, at, sizeof value);
        values[i] = static_cast<float>(value);
      } else {
        std::uint16_t bits = 0;
        std::memcpy(&bits, at, sizeof bits);
        values[i] = from_half_bits(bits);
      }
    }
  }
};

NpyReader::NpyReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->input = open_input(path);
  impl_->read_header();
}
NpyReader::~NpyReader() = default;
NpyReader::NpyReader(NpyReader&&) noexcept = default;

std::uint64_t NpyReader::rows() const noexcept {
  return impl_->rows;
}

std::uint64_t NpyReader::cols() const noexcept {
  return impl_->cols;
}

void NpyReader::read(std::uint64_t begin, std::uint64_t n, std::span<float> values) const {
  assert(begin + n <= impl_->rows);
  values = values.first(static_cast<std::size_t>(n * impl_->cols));
  const std::uint64_t offset = impl_->data_offset + begin * impl_->cols * impl_->item_bytes;
  if (impl_->item_bytes == sizeof(float)) {
    read_at(impl_->input, offset, values.data(), values.size_bytes());
    return;
  }
  impl_->buffer.resize(values.size() * impl_->item_bytes);
  read_at(impl_->input, offset, impl_->buffer.data(), impl_->buffer.size());
  impl_->to_floats(values);
}

}  // namespace genomamba::io
