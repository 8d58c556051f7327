// SPDX-License-Identifier: MIT
#include "checkpoint_names.hpp"

#include <array>

#include "genomamba/core/error.hpp"

namespace genomamba::model {
namespace {

using checkpoint::Tensor;
using checkpoint::TensorSource;

constexpr std::string_view kFirstLayer = "layers.0.";

struct UnsupportedFamily {
  std::string_view part;  ///< found inside a tensor name
  std::string_view name;
};

/// Families of models.md 1.3 that the graph has no room for yet, by a part that only they have.
constexpr std::array<UnsupportedFamily, 8> kUnsupported = {{
    {"mamba_forward.backbone.", "eccDNAMamba (two Mamba-2 stacks)"},
    {"mamba_module.mamba_fwd.", "JanusDNA (Mamba-1 with mixture of experts)"},
    {"mixer.fc_D.", "Hydra (quasi-separable bidirectional Mamba-2)"},
    {"mixer.init_states", "Hydra (quasi-separable bidirectional Mamba-2)"},
    {"layers.0.feed_forward.", "Helix-mRNA or Jamba (Mamba with attention)"},
    {"layers.0.norm1.", "BarcodeMamba (Mamba-2 with GELU MLP)"},
    {"layers.0.mamba.", "Jamba (Mamba with attention)"},
    {"mixer.dd_bias", "Mamba-3"},
}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string strip_end(std::string text, std::string_view end) {
  if (text.size() >= end.size() && std::string_view(text).substr(text.size() - end.size()) == end) {
    text.resize(text.size() - end.size());
  }
  return text;
}

[[noreturn]] void unsupported(const TensorSource& weights, std::string_view tensor,
                              std::string_view family) {
  throw CheckpointError(
      weights.path(), tensor,
      "belongs to the family " + std::string(family) + ", which is not supported");
}

std::string first_present(const TensorSource& weights, std::initializer_list<std::string> names) {
  for (const std::string& name : names) {
    if (weights.find(name) != nullptr) return name;
  }
  return {};
}

/// "backbone." of "backbone.layers.0.mixer.A_log".
std::string find_base(const TensorSource& weights) {
  for (const Tensor& tensor : weights.tensors()) {
    const std::size_t at = tensor.name.find(kFirstLayer);
    if (at == std::string::npos || (at > 0 && tensor.name[at - 1] != '.')) continue;
    if (contains(std::string_view(tensor.name).substr(at), ".mixer."))
      return tensor.name.substr(0, at);
  }
  std::string found = weights.tensors().empty()
                          ? "the file has no tensors"
                          : "the file has, for example, " + weights.tensors()[0].name;
  throw CheckpointError(weights.path(), "",
                        "not a checkpoint of the Mamba family: no tensor is named like "
                        "backbone.layers.0.mixer.in_proj.weight; " +
                            found);
}

void refuse_unsupported(const TensorSource& weights) {
  for (const Tensor& tensor : weights.tensors()) {
    for (const UnsupportedFamily& family : kUnsupported) {
      if (contains(tensor.name, family.part)) unsupported(weights, tensor.name, family.name);
    }
  }
}

void find_mixer(const TensorSource& weights, CheckpointNames& names) {
  const auto has = [&](const std::string& mixer, const char* leaf) {
    return weights.find(names.layer(0, mixer + leaf)) != nullptr;
  };
  for (const char* prefix :
       {"mixer.", "mixer.mamba_fwd.", "mixer.submodule.mamba_fwd.", "mixer.submodule."}) {
    if (has(prefix, "A_log")) names.mixer = prefix;
  }
  if (names.mixer.empty()) {
    if (has("mixer.", "in_proj.weight") || has("mixer.", "Wqkv.weight")) {
      unsupported(weights, names.layer(0, "mixer."), "hybrid with attention layers");
    }
    throw CheckpointError(weights.path(), names.layer(0, "mixer.A_log"), "is missing");
  }
  names.is_rcps = contains(names.mixer, "submodule.");
  names.has_mamba_fwd = contains(names.mixer, "mamba_fwd.");
  names.is_mamba2 = has(names.mixer, "dt_bias") && !has(names.mixer, "x_proj.weight");
  if (!names.has_mamba_fwd) return;
  std::string reverse = names.mixer;
  reverse.replace(reverse.find("mamba_fwd"), 9, "mamba_rev");
  if (has(reverse, "A_log")) names.mixer_rev = reverse;
}

void find_norms(const TensorSource& weights, CheckpointNames& names) {
  names.has_norm_submodule = weights.find(names.layer(0, "norm.submodule.weight")) != nullptr;
  names.norm = names.has_norm_submodule ? "norm.submodule." : "norm.";
  names.norm_f = names.base + (weights.find(names.base + "norm_f.submodule.weight") != nullptr
                                   ? "norm_f.submodule."
                                   : "norm_f.");
}

}  // namespace

std::string CheckpointNames::layer(std::size_t index, std::string_view rest) const {
  return base + "layers." + std::to_string(index) + "." + std::string(rest);
}

CheckpointNames find_names(const TensorSource& weights) {
  refuse_unsupported(weights);
  CheckpointNames names;
  names.base = find_base(weights);
  find_mixer(weights, names);
  find_norms(weights, names);
  const std::string& base = names.base;
  const std::string outer = strip_end(strip_end(base, "backbone."), "caduceus.");
  names.embedding = first_present(weights, {base + "embedding.weight", base + "embeddings.weight",
                                            base + "embeddings.word_embeddings.weight",
                                            base + "embeddings.word_embeddings.embedding.weight"});
  names.lm_head =
      first_present(weights, {outer + "lm_head.weight", outer + "lm_head.lm_head.weight"});
  names.complement_map = first_present(weights, {base + "embeddings.word_embeddings.complement_map",
                                                 outer + "lm_head.complement_map"});
  names.has_linear_input = weights.find(base + "embedding.bias") != nullptr;
  names.has_mlp = weights.find(names.layer(0, "mlp.fc1.weight")) != nullptr;
  return names;
}

}  // namespace genomamba::model
