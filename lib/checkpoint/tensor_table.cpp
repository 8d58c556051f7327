// SPDX-License-Identifier: MIT
#include "tensor_table.hpp"

namespace genomamba::checkpoint {

bool TensorTable::add(Tensor tensor) {
  if (!index_.emplace(tensor.name, tensors_.size()).second) return false;
  tensors_.push_back(std::move(tensor));
  return true;
}

const Tensor* TensorTable::find(std::string_view name) const noexcept {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

}  // namespace genomamba::checkpoint
