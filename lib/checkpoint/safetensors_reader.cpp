// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>

#include "genomamba/checkpoint/tensor_source.hpp"
#include "genomamba/core/error.hpp"
#include "json_text.hpp"
#include "safetensors_header.hpp"
#include "tensor_table.hpp"

namespace genomamba::checkpoint {
namespace {

/// The format's own limit.
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;
constexpr std::size_t kLengthBytes = 8;

std::string read_text(const ByteSource& file, std::uint64_t offset, std::size_t n_bytes) {
  std::string text(n_bytes, '\0');
  file.read_at(offset, std::as_writable_bytes(std::span<char>(text)));
  return text;
}

std::uint64_t read_header_length(const ByteSource& file) {
  if (file.size() < kLengthBytes) {
    throw CheckpointError(file.path(), "",
                          "not a safetensors file: " + std::to_string(file.size()) +
                              " bytes are too few for the header's length");
  }
  std::array<std::byte, kLengthBytes> bytes{};
  file.read_at(0, bytes);
  std::uint64_t length = 0;  // little-endian
  for (std::size_t i = kLengthBytes; i-- > 0;) {
    length = (length << 8) | std::to_integer<std::uint64_t>(bytes[i]);
  }
  if (length > kMaxHeaderBytes) {
    throw CheckpointError(file.path(), "",
                          "header of " + std::to_string(length) +
                              " bytes is larger than the limit of " +
                              std::to_string(kMaxHeaderBytes) + "; is this a safetensors file?");
  }
  if (length > file.size() - kLengthBytes) {
    throw CheckpointError(file.path(), "",
                          "truncated: the header is " + std::to_string(length) +
                              " bytes long, the file " + std::to_string(file.size()));
  }
  return length;
}

}  // namespace

std::unique_ptr<TensorSource> open_safetensors(const std::string& path) {
  const auto file = open_file(path);
  const auto head_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), 64));
  if (is_git_lfs_pointer(read_text(*file, 0, head_bytes))) throw_git_lfs_pointer(path);

  const std::uint64_t length = read_header_length(*file);
  const std::uint64_t data_begin = kLengthBytes + length;
  const std::string header = read_text(*file, kLengthBytes, static_cast<std::size_t>(length));
  if (header.empty() || header[0] != '{') {
    throw CheckpointError(path, "header", "does not begin with '{': not a safetensors file");
  }
  auto table = std::make_unique<TensorTable>(path);
  for (Tensor& tensor : parse_safetensors_header(header, file->size() - data_begin, path)) {
    tensor.source = file;
    tensor.offset += data_begin;
    table->add(std::move(tensor));
  }
  table->add_file(file);
  return table;
}

}  // namespace genomamba::checkpoint
