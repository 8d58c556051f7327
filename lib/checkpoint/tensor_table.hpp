// SPDX-License-Identifier: MIT
// TensorTable: the TensorSource that every reader fills.
#pragma once

#include <unordered_map>

#include "genomamba/checkpoint/tensor_source.hpp"

namespace genomamba::checkpoint {

/// Invariant: each name once; index_ maps it to its place in tensors_.
class TensorTable final : public TensorSource {
 public:
  explicit TensorTable(std::string path) : path_(std::move(path)) {}

  /// False when there is a tensor of that name already.
  bool add(Tensor tensor);
  void add_file(std::shared_ptr<const ByteSource> file) { files_.push_back(std::move(file)); }

  const std::vector<Tensor>& tensors() const noexcept override { return tensors_; }
  const Tensor* find(std::string_view name) const noexcept override;
  const std::string& path() const noexcept override { return path_; }
  const std::vector<std::shared_ptr<const ByteSource>>& files() const noexcept override {
    return files_;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept {
      return std::hash<std::string_view>{}(name);
    }
  };

  std::string path_;
  std::vector<Tensor> tensors_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> index_;
  std::vector<std::shared_ptr<const ByteSource>> files_;
};

}  // namespace genomamba::checkpoint
