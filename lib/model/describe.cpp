// SPDX-License-Identifier: MIT
#include "genomamba/model/describe.hpp"

#include <algorithm>
#include <map>

#include "block_buffers.hpp"

namespace genomamba::model {
namespace {

bool is_float(checkpoint::Dtype dtype) {
  using checkpoint::Dtype;
  return dtype == Dtype::kF32 || dtype == Dtype::kF16 || dtype == Dtype::kBF16 ||
         dtype == Dtype::kF64;
}

}  // namespace

ModelDescription describe_model(const checkpoint::ModelDirectory& directory,
                                std::size_t workspace_tokens) {
  ModelDescription result;
  result.config = load_config(directory);
  result.workspace_tokens = workspace_tokens;
  std::map<std::string, std::size_t> counts;
  for (const checkpoint::Tensor& tensor : directory.weights->tensors()) {
    ++result.n_tensors;
    ++counts[std::string(checkpoint::to_string(tensor.dtype))];
    result.stored_bytes += tensor.n_bytes();
    if (is_float(tensor.dtype)) result.n_parameters += tensor.size();
  }
  result.dtypes.assign(counts.begin(), counts.end());
  std::stable_sort(result.dtypes.begin(), result.dtypes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  result.weights_bytes = result.n_parameters * sizeof(float);
  result.workspace_bytes = workspace_bytes(result.config, workspace_tokens, 1);
  return result;
}

}  // namespace genomamba::model
