// SPDX-License-Identifier: MIT
#include "named_tensors.hpp"

#include <algorithm>
#include <span>

#include "genomamba/core/error.hpp"

namespace genomamba::model {
namespace {

/// The last word of a dotted name.
std::string_view leaf(std::string_view name) {
  const std::size_t dot = name.find_last_of('.', name.find_last_of('.') - 1);
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

/// A tensor that a reader of the message can compare with the missing one: the same last words, or
/// any.
std::string example(const checkpoint::TensorSource& source, std::string_view missing) {
  for (const checkpoint::Tensor& tensor : source.tensors()) {
    if (leaf(tensor.name) == leaf(missing)) return tensor.name;
  }
  return source.tensors().empty() ? "nothing" : source.tensors()[0].name;
}

}  // namespace

const checkpoint::Tensor& NamedTensors::require(const std::string& name, std::size_t n_dims) {
  const checkpoint::Tensor* tensor = source_.find(name);
  if (tensor == nullptr) {
    throw CheckpointError(source_.path(), name,
                          "is missing; the file has, for example, " + example(source_, name));
  }
  if (tensor->shape.size() != n_dims) {
    throw CheckpointError(tensor->path, name,
                          "shape " + checkpoint::shape_to_string(tensor->shape) + " has " +
                              std::to_string(tensor->shape.size()) + " dimensions, expected " +
                              std::to_string(n_dims));
  }
  if (std::find(tensor->shape.begin(), tensor->shape.end(), 0U) != tensor->shape.end()) {
    throw CheckpointError(tensor->path, name,
                          "shape " + checkpoint::shape_to_string(tensor->shape) + " is empty");
  }
  used_.insert(name);
  return *tensor;
}

AlignedBuffer<float> NamedTensors::values(const std::string& name,
                                          std::initializer_list<std::size_t> shape,
                                          AlignedBuffer<float> storage) {
  const checkpoint::Tensor& tensor = require(name, shape.size());
  if (!std::equal(shape.begin(), shape.end(), tensor.shape.begin())) {
    throw CheckpointError(tensor.path, name,
                          "shape found " + checkpoint::shape_to_string(tensor.shape) +
                              ", expected " +
                              checkpoint::shape_to_string({shape.begin(), shape.size()}));
  }
  checkpoint::to_float(tensor, storage);
  return storage;
}

std::vector<std::string> NamedTensors::unused() const {
  std::vector<std::string> names;
  for (const checkpoint::Tensor& tensor : source_.tensors()) {
    if (used_.count(tensor.name) == 0) names.push_back(tensor.name);
  }
  return names;
}

}  // namespace genomamba::model
