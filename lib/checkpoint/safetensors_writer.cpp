// SPDX-License-Identifier: MIT
#include "genomamba/checkpoint/safetensors_writer.hpp"

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "genomamba/core/error.hpp"
#include "tensor_table.hpp"

namespace genomamba::checkpoint {
namespace {

class ArrayBytes final : public ByteSource {
 public:
  ArrayBytes(std::span<const float> values, std::string path)
      : bytes_(std::as_bytes(values)), path_(std::move(path)) {}

  std::uint64_t size() const noexcept override { return bytes_.size(); }
  void read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset)
      throw CheckpointError(path_, "", "ends too early");
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }
  const std::string& path() const noexcept override { return path_; }

 private:
  std::span<const std::byte> bytes_;
  std::string path_;
};

}  // namespace

void write_safetensors(std::span<const NamedArray> tensors, const ByteSink& sink) {
  nlohmann::ordered_json header;
  header["__metadata__"] = {{"format", "pt"}};
  std::uint64_t offset = 0;
  for (const NamedArray& tensor : tensors) {
    std::size_t size = 1;
    for (const std::size_t dim : tensor.shape)
      size *= dim;
    if (size != tensor.values.size()) {
      throw CheckpointError("", tensor.name,
                            std::to_string(tensor.values.size()) + " values do not fill its shape");
    }
    const std::uint64_t end = offset + size * sizeof(float);
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the data begin at a multiple of 8

  std::uint64_t length = text.size();
  std::string prefix;
  for (int i = 0; i < 8; ++i, length >>= 8)
    prefix += static_cast<char>(length & 0xFF);
  sink(std::as_bytes(std::span<const char>(prefix)));
  sink(std::as_bytes(std::span<const char>(text)));
  for (const NamedArray& tensor : tensors)
    sink(std::as_bytes(std::span<const float>(tensor.values)));
}

std::unique_ptr<TensorSource> make_tensor_source(std::span<const NamedArray> tensors,
                                                 const std::string& path) {
  auto table = std::make_unique<TensorTable>(path);
  for (const NamedArray& array : tensors) {
    auto bytes = std::make_shared<const ArrayBytes>(array.values, path);
    if (!table->add({array.name, Dtype::kF32, array.shape, path, bytes, 0, {}}))
      throw CheckpointError(path, array.name, "is there twice");
    table->add_file(std::move(bytes));
  }
  return table;
}

}  // namespace genomamba::checkpoint
