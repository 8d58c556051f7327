// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "genomamba/checkpoint/model_directory.hpp"
#include "genomamba/core/sha256.hpp"

namespace genomamba::checkpoint {
namespace {

void update(Sha256& hash, const std::string& text) {
  hash.update(std::as_bytes(std::span(text.data(), text.size())));
}

void update_with_elements(Sha256& hash, const Tensor& tensor) {
  if (!tensor.strides.empty()) {  // a view with gaps: its elements, not the storage behind them
    const AlignedBuffer<float> values = to_float(tensor);
    hash.update(std::as_bytes(values.span()));
    return;
  }
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::vector<std::byte> piece(std::min(kPiece, tensor.n_bytes()));
  for (std::size_t at = 0; at < tensor.n_bytes(); at += kPiece) {
    const std::span<std::byte> part(piece.data(), std::min(kPiece, tensor.n_bytes() - at));
    tensor.source->read_at(tensor.offset + at, part);
    hash.update(part);
  }
}

}  // namespace

std::string config_sha256(const ModelDirectory& directory) {
  const auto file = open_file(directory.config.path());
  std::vector<std::byte> bytes(static_cast<std::size_t>(file->size()));
  file->read_at(0, bytes);
  Sha256 hash;
  hash.update(bytes);
  return hash.hex_digest();
}

std::string weights_sha256(const ModelDirectory& directory,
                           const std::vector<std::string>& unused) {
  std::vector<const Tensor*> tensors;
  for (const Tensor& tensor : directory.weights->tensors()) {
    if (std::find(unused.begin(), unused.end(), tensor.name) == unused.end())
      tensors.push_back(&tensor);
  }
  std::sort(tensors.begin(), tensors.end(),
            [](const Tensor* a, const Tensor* b) { return a->name < b->name; });
  Sha256 hash;
  for (const Tensor* tensor : tensors) {
    update(hash, tensor->name + " " + std::string(to_string(tensor->dtype)) + " " +
                     shape_to_string(tensor->shape) + "\n");
    update_with_elements(hash, *tensor);
  }
  for (const auto& file : directory.weights->files())
    file->check_unchanged();
  return hash.hex_digest();
}

}  // namespace genomamba::checkpoint
