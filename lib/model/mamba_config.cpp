// SPDX-License-Identifier: MIT
#include "genomamba/model/mamba_config.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "checkpoint_names.hpp"
#include "config_reader.hpp"
#include "genomamba/core/error.hpp"
#include "named_tensors.hpp"

namespace genomamba::model {
namespace {

using checkpoint::Tensor;

/// One load_config: what the file calls things, and the two sources that must agree.
struct Reading {
  NamedTensors tensors;
  CheckpointNames names;
  ConfigReader json;
  std::string model_type;

  explicit Reading(const checkpoint::ModelDirectory& directory)
      : tensors(*directory.weights), names(find_names(*directory.weights)), json(directory.config) {
    model_type = json.find_string({"model_type"}).value_or("");
  }

  const Tensor& mixer(const std::string& leaf, std::size_t n_dims) {
    return tensors.require(names.layer(0, names.mixer + leaf), n_dims);
  }
  bool mixer_has(const std::string& leaf) {
    return tensors.has(names.layer(0, names.mixer + leaf));
  }
  bool is_hugging_face() const {
    return model_type == "mamba" || model_type == "mamba2" || model_type == "falcon_mamba";
  }
  [[noreturn]] void fail(std::string_view key, const std::string& reason) const {
    throw CheckpointError(json.file().path(), key, reason);
  }
};

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Layers are numbered 0 .. n-1 without gaps.
std::size_t count_layers(const Reading& reading) {
  const std::string prefix = reading.names.base + "layers.";
  std::set<std::size_t> seen;
  for (const Tensor& tensor : reading.tensors.source().tensors()) {
    if (tensor.name.compare(0, prefix.size(), prefix) != 0) continue;
    std::size_t index = 0;
    const char* begin = tensor.name.data() + prefix.size();
    const auto result = std::from_chars(begin, tensor.name.data() + tensor.name.size(), index);
    if (result.ec == std::errc() && result.ptr != begin) seen.insert(index);
  }
  std::size_t n = 0;
  while (seen.count(n) > 0)
    ++n;
  if (n != seen.size()) {
    throw CheckpointError(
        reading.tensors.source().path(), prefix + std::to_string(n),
        "is missing, though the file has layer " + std::to_string(*seen.rbegin()));
  }
  return n;
}

void read_layers(Reading& reading, MambaConfig& config) {
  config.n_layer = count_layers(reading);
  const Keys keys = {"n_layer", "num_hidden_layers", "ssm_n_layers"};
  const std::optional<std::size_t> stated = reading.json.find_size(keys);
  if (stated && *stated != config.n_layer) {
    reading.fail(reading.json.present(keys),
                 "is " + std::to_string(*stated) + ", but the file has " +
                     std::to_string(config.n_layer) + " layers (" +
                     reading.names.layer(std::min(*stated, config.n_layer), "*") +
                     (*stated > config.n_layer ? " is missing)" : " is there)"));
  }
  const auto attention = reading.json.file().find_numbers("attn_layer_idx");
  if (attention && !attention->empty()) {
    reading.fail("attn_layer_idx",
                 "names attention layers: the family mamba_ssm with attention is "
                 "not supported");
  }
}

/// Orthrus: embedding.weight [d_model, n_tracks] over one-hot letters, which the tokens of the
/// Caduceus table stand for.
void read_tracks(Reading& reading, MambaConfig& config) {
  constexpr std::size_t kCaduceusTokens = 12;
  const Tensor& embedding = reading.tensors.require(reading.names.base + "embedding.weight", 2);
  config.d_model = embedding.shape[0];
  config.n_tracks = embedding.shape[1];
  if (config.n_tracks != 4 && config.n_tracks != 6) {
    throw CheckpointError(
        embedding.path, embedding.name,
        "shape " + checkpoint::shape_to_string(embedding.shape) + " has neither 4 nor 6 tracks");
  }
  reading.json.must_equal({"n_tracks"}, config.n_tracks, embedding);
  reading.json.must_equal({"ssm_model_dim", "d_model"}, config.d_model, embedding);
  config.vocab_size = kCaduceusTokens;
  config.true_vocab_size = kCaduceusTokens;
  config.has_lm_head = false;
  config.tie_embeddings = false;
}

void read_vocabulary(Reading& reading, MambaConfig& config) {
  if (reading.names.has_linear_input) return read_tracks(reading, config);
  const std::string& name =
      reading.names.embedding.empty() ? reading.names.lm_head : reading.names.embedding;
  if (name.empty()) {
    reading.tensors.require(reading.names.base + "embedding.weight", 2);
  }
  const Tensor& embedding = reading.tensors.require(name, 2);
  config.vocab_size = embedding.shape[0];
  config.d_model = embedding.shape[1];
  const Keys width_keys = {"d_model", "hidden_size"};
  const std::optional<std::size_t> width = reading.json.find_size(width_keys);
  if (width && *width != config.d_model) {
    reading.fail(
        reading.json.present(width_keys),
        "is " + std::to_string(*width) + ", but " + name + " has shape " +
            checkpoint::shape_to_string(embedding.shape) + ", expected " +
            checkpoint::shape_to_string(std::vector<std::size_t>{embedding.shape[0], *width}));
  }
  const std::size_t multiple =
      std::max<std::size_t>(1, reading.json.find_size({"pad_vocab_size_multiple"}).value_or(8));
  const std::size_t stated = reading.json.find_size({"vocab_size"}).value_or(config.vocab_size);
  if (stated == 0 ||
      (stated != config.vocab_size && round_up(stated, multiple) != config.vocab_size)) {
    reading.json.must_equal({"vocab_size"}, config.vocab_size, embedding,
                            "padding to a multiple of " + std::to_string(multiple) + " allowed");
  }
  config.true_vocab_size = stated;
  config.has_lm_head = !reading.names.lm_head.empty();
  config.tie_embeddings =
      reading.json.find_bool({"tie_embeddings", "tie_word_embeddings"})
          .value_or(reading.model_type == "mamba2" ? false : !config.has_lm_head);
  if (!config.has_lm_head) config.has_lm_head = config.tie_embeddings;
}

void read_norm(Reading& reading, MambaConfig& config) {
  const std::string bias = reading.names.layer(0, reading.names.norm + "bias");
  const bool has_bias = reading.tensors.has(bias);
  config.norm = has_bias ? Norm::kLayer : Norm::kRms;
  // In Hugging Face's Mamba2 the same key means the gated norm inside the mixer.
  if (reading.model_type != "mamba2" && !reading.names.has_linear_input) {
    reading.json.must_be({"rms_norm", "norm_cfg.rms_norm"}, !has_bias,
                         bias + (has_bias ? " is there" : " is missing"));
  }
  config.norm_epsilon =
      reading.json.epsilon({"norm_epsilon", "layer_norm_epsilon", "norm_cfg.norm_epsilon"}, 1e-5F);
}

void read_biases(Reading& reading) {
  const bool has_conv_bias = reading.mixer_has("conv1d.bias");
  const std::string conv_bias = reading.names.layer(0, reading.names.mixer + "conv1d.bias");
  reading.json.must_be(
      {"use_conv_bias", "ssm_cfg.conv_bias", "layer_cfg.mamba_cfg.ssm_cfg.conv_bias"},
      has_conv_bias, conv_bias + (has_conv_bias ? " is there" : " is missing"));
  const bool has_bias = reading.mixer_has("in_proj.bias");
  const std::string bias = reading.names.layer(0, reading.names.mixer + "in_proj.bias");
  reading.json.must_be({"use_bias", "ssm_cfg.bias", "layer_cfg.mamba_cfg.ssm_cfg.bias"}, has_bias,
                       bias + (has_bias ? " is there" : " is missing"));
}

/// "auto" is ceil(d_model / 16).
void check_dt_rank(const Reading& reading, const MambaConfig& config, const Tensor& dt_proj) {
  const Keys keys = {"ssm_cfg.dt_rank", "time_step_rank", "layer_cfg.mamba_cfg.ssm_cfg.dt_rank"};
  const std::string_view key = reading.json.present(keys);
  if (key.empty()) return;
  std::optional<std::string> word;
  try {
    word = reading.json.file().find_string(key);
  } catch (const CheckpointError&) {  // a number
    reading.json.must_equal(keys, config.dt_rank, dt_proj);
    return;
  }
  if (word != "auto") reading.fail(key, "is neither a number nor \"auto\"");
  const std::size_t rank = (config.d_model + 15) / 16;
  if (rank != config.dt_rank) {
    reading.fail(key, "is \"auto\", which is " + std::to_string(rank) + ", but " + dt_proj.name +
                          " has shape " + checkpoint::shape_to_string(dt_proj.shape));
  }
}

void check_d_inner(const Reading& reading, const MambaConfig& config, const Tensor& evidence) {
  const Keys expand_keys = {"ssm_cfg.expand", "expand", "layer_cfg.mamba_cfg.ssm_cfg.expand"};
  const std::optional<double> expand = reading.json.find_number(expand_keys);
  const std::string_view expand_key = reading.json.present(expand_keys);
  if (reading.is_hugging_face()) {
    const std::string note =
        expand ? std::string(expand_key) + " is " + std::to_string(static_cast<int>(*expand)) : "";
    reading.json.must_equal({"intermediate_size"}, config.d_inner, evidence, note);
  }
  if (expand &&
      static_cast<std::size_t>(*expand * static_cast<double>(config.d_model)) != config.d_inner) {
    reading.fail(expand_key, "times d_model " + std::to_string(config.d_model) + " is not the " +
                                 std::to_string(config.d_inner) + " channels of " + evidence.name +
                                 " " + checkpoint::shape_to_string(evidence.shape));
  }
}

void check_conv(const Reading& reading, MambaConfig& config, const Tensor& conv) {
  config.d_conv = conv.shape[2];
  if (conv.shape[1] != 1 || config.d_conv > 64) {
    throw CheckpointError(conv.path, conv.name,
                          "shape " + checkpoint::shape_to_string(conv.shape) +
                              " is not that of a depthwise convolution [channels, 1, d_conv]");
  }
  reading.json.must_equal({"ssm_cfg.d_conv", "conv_kernel", "layer_cfg.mamba_cfg.ssm_cfg.d_conv"},
                          config.d_conv, conv);
}

const Keys kStateKeys = {"ssm_cfg.d_state", "state_size", "layer_cfg.mamba_cfg.ssm_cfg.d_state"};

void read_mamba1(Reading& reading, MambaConfig& config) {
  const Tensor& A_log = reading.mixer("A_log", 2);
  const Tensor& dt_proj = reading.mixer("dt_proj.weight", 2);
  config.mixer = Mixer::kMamba1;
  config.d_inner = A_log.shape[0];
  config.d_state = A_log.shape[1];
  config.dt_rank = dt_proj.shape[1];
  check_d_inner(reading, config, A_log);
  reading.json.must_equal(kStateKeys, config.d_state, A_log);
  check_dt_rank(reading, config, dt_proj);
  check_conv(reading, config, reading.mixer("conv1d.weight", 3));
  if (reading.model_type == "falcon_mamba") {
    config.mixer_rms = true;
    config.mixer_rms_eps = reading.json.epsilon({"mixer_rms_eps"}, 1e-6F);
  }
}

void read_mamba2_limits(const Reading& reading, MambaConfig& config) {
  for (const char* key : {"ssm_cfg.dt_limit", "time_step_limit"}) {
    const auto limit = reading.json.file().find_numbers(key);
    if (!limit) continue;
    if (limit->size() != 2 || !((*limit)[0] <= (*limit)[1]))
      reading.fail(key, "is not [low, high]");
    config.dt_limit_min = static_cast<float>((*limit)[0]);
    config.dt_limit_max = static_cast<float>((*limit)[1]);
  }
}

void read_mamba2(Reading& reading, MambaConfig& config) {
  const Tensor& A_log = reading.mixer("A_log", 1);
  const Tensor& out_proj = reading.mixer("out_proj.weight", 2);
  const Tensor& conv = reading.mixer("conv1d.weight", 3);
  config.mixer = Mixer::kMamba2;
  config.n_heads = A_log.shape[0];
  config.d_inner = out_proj.shape[1];
  check_d_inner(reading, config, out_proj);
  reading.json.must_equal({"num_heads"}, config.n_heads, A_log);
  if (config.d_inner % config.n_heads != 0) {
    throw CheckpointError(A_log.path, A_log.name,
                          std::to_string(config.n_heads) + " heads do not divide d_inner " +
                              std::to_string(config.d_inner));
  }
  config.headdim = config.d_inner / config.n_heads;
  reading.json.must_equal({"ssm_cfg.headdim", "head_dim", "layer_cfg.mamba_cfg.ssm_cfg.headdim"},
                          config.headdim, A_log);
  const Keys group_keys = {"ssm_cfg.ngroups", "n_groups", "layer_cfg.mamba_cfg.ssm_cfg.ngroups"};
  config.ngroups = reading.json.find_size(group_keys).value_or(1);
  const std::size_t n_channels = conv.shape[0];
  if (config.ngroups == 0 || n_channels <= config.d_inner ||
      (n_channels - config.d_inner) % (2 * config.ngroups) != 0 ||
      config.n_heads % config.ngroups != 0) {
    throw CheckpointError(conv.path, conv.name,
                          "shape " + checkpoint::shape_to_string(conv.shape) +
                              " does not fit d_inner " + std::to_string(config.d_inner) + ", " +
                              std::to_string(config.n_heads) + " heads and ngroups " +
                              std::to_string(config.ngroups));
  }
  config.d_state = (n_channels - config.d_inner) / (2 * config.ngroups);
  reading.json.must_equal(kStateKeys, config.d_state, conv);
  check_conv(reading, config, conv);
  read_mamba2_limits(reading, config);
  config.mixer_norm_epsilon = reading.model_type == "mamba2" ? config.norm_epsilon : 1e-5F;
}

/// d_intermediate in config.json is the value before rounding up to a multiple of 128.
void read_mlp(Reading& reading, MambaConfig& config) {
  if (!reading.names.has_mlp) {
    if (reading.json.find_size({"d_intermediate"}).value_or(0) > 0) {
      reading.tensors.require(reading.names.layer(0, "mlp.fc1.weight"), 2);
    }
    return;
  }
  const Tensor& fc2 = reading.tensors.require(reading.names.layer(0, "mlp.fc2.weight"), 2);
  config.d_intermediate = fc2.shape[1];
  const auto stated = reading.json.find_size({"d_intermediate"});
  if (stated && round_up(*stated, 128) != config.d_intermediate) {
    reading.json.must_equal({"d_intermediate"}, config.d_intermediate, fc2,
                            "rounding up to a multiple of 128 allowed");
  }
}

void read_directions(const Reading& reading, MambaConfig& config) {
  const bool bidirectional = !reading.names.mixer_rev.empty();
  if (!reading.names.has_mamba_fwd) return;
  reading.json.must_be(
      {"bidirectional"}, bidirectional,
      reading.names.layer(0, reading.names.mixer) +
          (bidirectional ? " has a reverse direction" : " has no reverse direction"));
  if (!bidirectional) return;
  const std::string strategy = reading.json.find_string({"bidirectional_strategy"}).value_or("add");
  if (strategy != "add" && strategy != "ew_multiply") {
    reading.fail("bidirectional_strategy", "is neither \"add\" nor \"ew_multiply\"");
  }
  config.direction =
      strategy == "add" ? Direction::kBidirectionalAdd : Direction::kBidirectionalMultiply;
  config.bidirectional_weight_tie =
      reading.json.find_bool({"bidirectional_weight_tie"}).value_or(true);
}

std::vector<TokenId> identity_map(std::size_t n) {
  std::vector<TokenId> map(n);
  for (std::size_t i = 0; i < n; ++i)
    map[i] = static_cast<TokenId>(i);
  return map;
}

void set_complement(std::vector<TokenId>& map, std::int64_t from, std::int64_t to,
                    const std::string& path, std::string_view where) {
  const auto n = static_cast<std::int64_t>(map.size());
  if (from < 0 || from >= n || to < 0 || to >= n) {
    throw CheckpointError(path, where,
                          std::to_string(from) + " to " + std::to_string(to) +
                              " leaves the vocabulary of " + std::to_string(n));
  }
  map[static_cast<std::size_t>(from)] = static_cast<TokenId>(to);
}

/// From config.json; keys are token ids as text. Ids that it does not name map to themselves.
std::optional<std::vector<TokenId>> complement_from_config(const Reading& reading, std::size_t n) {
  const auto pairs = reading.json.file().find_int_map("complement_map");
  if (!pairs) return std::nullopt;
  std::vector<TokenId> map = identity_map(n);
  for (const auto& [key, value] : *pairs) {
    std::int64_t id = -1;
    std::from_chars(key.data(), key.data() + key.size(), id);
    set_complement(map, id, value, reading.json.file().path(), "complement_map");
  }
  return map;
}

std::optional<std::vector<TokenId>> complement_from_tensor(Reading& reading, std::size_t n) {
  if (reading.names.complement_map.empty()) return std::nullopt;
  const Tensor& tensor = reading.tensors.require(reading.names.complement_map, 1);
  if (tensor.shape[0] != n) {
    throw CheckpointError(tensor.path, tensor.name,
                          "shape found " + checkpoint::shape_to_string(tensor.shape) +
                              ", expected [" + std::to_string(n) + "]");
  }
  std::vector<TokenId> map = identity_map(n);
  const std::vector<std::int64_t> values = checkpoint::to_int64(tensor);
  for (std::size_t i = 0; i < n; ++i) {
    set_complement(map, static_cast<std::int64_t>(i), values[i], tensor.path, tensor.name);
  }
  return map;
}

void read_strands(Reading& reading, MambaConfig& config) {
  const bool is_rcps = reading.names.is_rcps;
  reading.json.must_be({"rcps"}, is_rcps,
                       reading.names.layer(0, reading.names.mixer) +
                           (is_rcps ? " is the RC-equivariant layout" : " is the plain layout"));
  if (!is_rcps) return;
  if (config.d_intermediate > 0) {
    throw CheckpointError(reading.tensors.source().path(), reading.names.layer(0, "mlp."),
                          "belongs to the family RC-equivariant with GatedMLP, which is not "
                          "supported");
  }
  reading.json.must_be({"fused_add_norm", "norm_cfg.fused_add_norm"},
                       !reading.names.has_norm_submodule,
                       reading.names.layer(0, reading.names.norm) +
                           " is how it is saved with the other value; the two compute different "
                           "functions");
  config.strands = reading.names.has_norm_submodule ? Strands::kRcPlain : Strands::kRcSwap;
  const auto from_tensor = complement_from_tensor(reading, config.vocab_size);
  const auto from_config = complement_from_config(reading, config.vocab_size);
  if (!from_tensor && !from_config) {
    reading.fail("complement_map", "is missing, here and among the tensors");
  }
  if (from_tensor && from_config && *from_tensor != *from_config) {
    reading.fail("complement_map", "differs from the tensor " + reading.names.complement_map);
  }
  config.complement_map = from_tensor ? *from_tensor : *from_config;
  for (std::size_t i = 0; i < config.complement_map.size(); ++i) {
    const auto complement = static_cast<std::size_t>(config.complement_map[i]);
    if (config.complement_map[complement] != static_cast<TokenId>(i)) {
      reading.fail("complement_map", "does not map " + std::to_string(i) + " back from " +
                                         std::to_string(complement));
    }
  }
}

std::string family_name(const Reading& reading, const MambaConfig& config) {
  const std::string mixer = config.mixer == Mixer::kMamba1 ? "Mamba-1" : "Mamba-2";
  if (reading.names.has_linear_input) return "Orthrus";
  if (reading.names.has_mamba_fwd || config.strands != Strands::kSingle) {
    const bool is_plant = config.vocab_size == 8 && config.strands != Strands::kSingle;
    if (is_plant) return config.mixer == Mixer::kMamba1 ? "PlantCaduceus" : "PlantCAD2";
    std::string name = config.strands == Strands::kSingle ? "Caduceus-Ph" : "Caduceus-PS";
    if (!config.is_bidirectional()) name += " unidirectional";
    return config.mixer == Mixer::kMamba1 ? name : name + " (Mamba-2)";
  }
  if (reading.model_type == "falcon_mamba") return "Hugging Face FalconMamba";
  if (reading.is_hugging_face()) return "Hugging Face " + mixer;
  return "mamba_ssm " + mixer;
}

/// The layer that config.json names, against the one that the tensors make up.
void check_layer_name(const Reading& reading) {
  const Keys keys = {"ssm_cfg.layer", "layer_cfg.mamba_cfg.ssm_cfg.layer"};
  const std::optional<std::string> layer = reading.json.find_string(keys);
  const bool says_mamba2 = layer ? *layer == "Mamba2" : reading.model_type == "mamba2";
  const bool says_mamba1 =
      layer ? *layer == "Mamba1"
            : reading.model_type == "mamba" || reading.model_type == "falcon_mamba";
  if (!(reading.names.is_mamba2 ? says_mamba1 : says_mamba2)) return;
  reading.fail(layer ? reading.json.present(keys) : "model_type",
               "is " + layer.value_or(reading.model_type) + ", but " +
                   reading.names.layer(0, reading.names.mixer) + " holds the tensors of " +
                   (reading.names.is_mamba2 ? "Mamba-2" : "Mamba-1"));
}

/// Every family gates with SiLU; another activation would give plausible, wrong numbers.
void check_activation(const Reading& reading) {
  const std::string activation = reading.json.find_string({"hidden_act"}).value_or("silu");
  if (activation != "silu" && activation != "swish") {
    reading.fail("hidden_act", activation + " is not supported: silu is");
  }
}

}  // namespace

MambaConfig load_config(const checkpoint::ModelDirectory& directory) {
  Reading reading(directory);
  check_activation(reading);
  check_layer_name(reading);
  MambaConfig config;
  read_layers(reading, config);
  read_vocabulary(reading, config);
  read_norm(reading, config);
  if (reading.names.is_mamba2) {
    read_mamba2(reading, config);
  } else {
    read_mamba1(reading, config);
  }
  read_biases(reading);
  read_mlp(reading, config);
  read_directions(reading, config);
  read_strands(reading, config);
  config.family = family_name(reading, config);
  return config;
}

}  // namespace genomamba::model
