// SPDX-License-Identifier: MIT
#include "genomamba/model/verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "genomamba/core/error.hpp"

namespace genomamba::model {
namespace {

using checkpoint::Tensor;

constexpr std::string_view kInputIds = ".input_ids";

std::vector<TokenId> read_tokens(const Tensor& tensor, const MambaConfig& config) {
  std::vector<TokenId> tokens;
  for (const std::int64_t id : checkpoint::to_int64(tensor)) {
    if (id < 0 || static_cast<std::uint64_t>(id) >= config.vocab_size) {
      throw CheckpointError(tensor.path, tensor.name,
                            "token id " + std::to_string(id) + " is outside the vocabulary of " +
                                std::to_string(config.vocab_size));
    }
    tokens.push_back(static_cast<TokenId>(id));
  }
  return tokens;
}

/// `<case>.tracks` [length, 2]: the codon and exon channels of six-track models.
std::vector<std::uint8_t> read_tracks(const Tensor* tensor, std::size_t n_tokens) {
  std::vector<std::uint8_t> tracks;
  if (tensor == nullptr) return tracks;
  const std::vector<std::int64_t> values = checkpoint::to_int64(*tensor);
  if (values.size() != 2 * n_tokens) {
    throw CheckpointError(tensor->path, tensor->name,
                          "shape found " + checkpoint::shape_to_string(tensor->shape) +
                              ", expected [" + std::to_string(n_tokens) + ", 2]");
  }
  for (std::size_t i = 0; i < n_tokens; ++i) {
    const bool codon = values[2 * i] != 0;
    const bool exon = values[2 * i + 1] != 0;
    tracks.push_back(
        static_cast<std::uint8_t>((codon ? kTrackCodonStart : 0) | (exon ? kTrackExonEnd : 0)));
  }
  return tracks;
}

void compare(const Tensor& tensor, Span2d<const float> found, std::vector<Comparison>& results) {
  const std::vector<std::size_t> shape = {found.rows(), found.cols()};
  const bool has_batch_axis = tensor.shape.size() == 3 && tensor.shape[0] == 1;
  if (std::vector<std::size_t>(tensor.shape.begin() + (has_batch_axis ? 1 : 0),
                               tensor.shape.end()) != shape) {
    throw CheckpointError(tensor.path, tensor.name,
                          "shape found " + checkpoint::shape_to_string(tensor.shape) +
                              ", the model gives " + checkpoint::shape_to_string(shape));
  }
  const AlignedBuffer<float> expected = checkpoint::to_float(tensor);
  Comparison result{.tensor = tensor.name, .n_values = expected.size()};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float value = found.row_data(i / found.cols())[i % found.cols()];
    const float difference = std::isfinite(value) ? std::abs(value - expected[i])
                                                  : std::numeric_limits<float>::infinity();
    result.max_abs_difference = std::max(result.max_abs_difference, difference);
    result.max_abs_expected = std::max(result.max_abs_expected, std::abs(expected[i]));
  }
  results.push_back(std::move(result));
}

void verify_case(const MambaModel& model, const checkpoint::TensorSource& expected,
                 const Tensor& input_ids, Executor& executor, std::vector<Comparison>& results) {
  const MambaConfig& config = model.config();
  const std::string name = input_ids.name.substr(0, input_ids.name.size() - kInputIds.size());
  const std::vector<TokenId> tokens = read_tokens(input_ids, config);
  const std::vector<Segment> segments = {{0, tokens.size(), nullptr}};
  AlignedBuffer<float> hidden_values(tokens.size() * config.hidden_width());
  const Span2d<float> hidden(hidden_values.data(), tokens.size(), config.hidden_width());
  Workspace workspace;
  const std::vector<std::uint8_t> tracks =
      read_tracks(expected.find(name + ".tracks"), tokens.size());
  model.forward({tokens, segments, tracks}, kLastLayer, workspace, hidden, executor);
  if (const Tensor* tensor = expected.find(name + ".last_hidden_state")) {
    compare(*tensor, hidden, results);
  }
  if (const Tensor* tensor = expected.find(name + ".logits")) {
    AlignedBuffer<float> logits_values(tokens.size() * config.vocab_size);
    const Span2d<float> logits(logits_values.data(), tokens.size(), config.vocab_size);
    model.logits(hidden, logits, executor);
    compare(*tensor, logits, results);
  }
}

/// An expected tensor that no <case>.input_ids leads to would pass unseen.
void check_has_input(const checkpoint::TensorSource& expected, const Tensor& tensor) {
  for (const std::string_view leaf : {".last_hidden_state", ".logits"}) {
    if (!tensor.name.ends_with(leaf)) continue;
    const std::string input =
        tensor.name.substr(0, tensor.name.size() - leaf.size()) + std::string(kInputIds);
    if (expected.find(input) == nullptr)
      throw CheckpointError(expected.path(), tensor.name, "has no " + input + " beside it");
  }
}

}  // namespace

std::vector<Comparison> verify_model(const MambaModel& model,
                                     const checkpoint::TensorSource& expected, Executor& executor) {
  std::vector<Comparison> results;
  for (const Tensor& tensor : expected.tensors()) {
    const bool is_input = tensor.name.size() > kInputIds.size() &&
                          tensor.name.substr(tensor.name.size() - kInputIds.size()) == kInputIds;
    check_has_input(expected, tensor);
    if (is_input) verify_case(model, expected, tensor, executor, results);
  }
  if (results.empty()) {
    throw CheckpointError(expected.path(), "",
                          "holds no <case>.input_ids with .last_hidden_state or .logits");
  }
  return results;
}

}  // namespace genomamba::model
