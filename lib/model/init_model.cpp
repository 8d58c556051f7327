// SPDX-License-Identifier: MIT
#include "genomamba/model/init_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "config_reader.hpp"
#include "genomamba/checkpoint/safetensors_writer.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/model/mamba_config.hpp"
#include "init_rng.hpp"

namespace genomamba::model {
namespace {

using checkpoint::NamedArray;

constexpr double kMaxSize = 1e9;                           // of one dimension
constexpr std::size_t kMaxValues = std::size_t{1} << 33U;  // of one tensor: 32 GiB

constexpr std::string_view kOrthrus = "orthrus";
constexpr std::array<std::string_view, 8> kFamilies = {
    "mamba1",       "mamba2",   "hf-mamba",        "hf-mamba2",
    "falcon-mamba", "caduceus", "caduceus-mamba2", kOrthrus};

/// Sizes as config.json states them, in either set of names.
struct Sizes {
  std::size_t d_model, n_layer, vocab_size, d_inner, d_state, d_conv, dt_rank, headdim, ngroups,
      d_intermediate, n_tracks;
  bool bias, conv_bias, rms_norm, tie_embeddings, bidirectional, tie_directions, rcps, fused;
};

/// int(expand * d_model), as mamba_ssm has it.
std::size_t read_d_inner(const ConfigReader& json, std::size_t d_model) {
  const double expand = json.find_number({"ssm_cfg.expand", "expand"}).value_or(2.0);
  const double d_inner = expand * static_cast<double>(d_model);
  if (!(d_inner >= 1 && d_inner <= kMaxSize)) {
    throw CheckpointError(json.file().path(), "expand",
                          "makes d_inner " + std::to_string(d_inner) + ", not a possible size");
  }
  return static_cast<std::size_t>(d_inner);
}

void check_heads(const ConfigReader& json, const Sizes& s) {
  const auto fail = [&](const char* key, const std::string& reason) {
    throw CheckpointError(json.file().path(), key, reason);
  };
  if (s.d_inner % s.headdim != 0) {
    fail("headdim",
         std::to_string(s.headdim) + " does not divide d_inner " + std::to_string(s.d_inner));
  }
  if (s.d_inner / s.headdim % s.ngroups != 0) {
    fail("ngroups", std::to_string(s.ngroups) + " does not divide the " +
                        std::to_string(s.d_inner / s.headdim) + " heads");
  }
}

/// Rows of the embedding; a model of tracks has none.
std::size_t read_vocab_size(const ConfigReader& json, std::size_t stated) {
  const std::size_t multiple =
      std::max<std::size_t>(1, json.find_size({"pad_vocab_size_multiple"}).value_or(1));
  return (stated + multiple - 1) / multiple * multiple;
}

Sizes read_sizes(const ConfigReader& json, const std::string& family) {
  const bool is_mamba2 = family.find("mamba2") != std::string::npos;
  const auto need = [&](Keys keys) {
    const auto value = json.find_size(keys);
    if (!value || *value == 0) {
      throw CheckpointError(json.file().path(), *keys.begin(), "must be stated, and at least 1");
    }
    return *value;
  };
  Sizes s{};
  s.d_model = need({"d_model", "hidden_size", "ssm_model_dim"});
  s.n_layer = need({"n_layer", "num_hidden_layers", "ssm_n_layers"});
  if (family == kOrthrus) {
    s.n_tracks = need({"n_tracks"});
  } else {
    s.vocab_size = read_vocab_size(json, need({"vocab_size"}));
  }
  s.d_inner = read_d_inner(json, s.d_model);
  const auto positive = [&](Keys keys, std::size_t otherwise) {
    return json.find_size(keys) ? need(keys) : otherwise;
  };
  s.d_state = positive({"ssm_cfg.d_state", "state_size"}, is_mamba2 ? 128 : 16);
  s.d_conv = positive({"ssm_cfg.d_conv", "conv_kernel"}, 4);
  s.dt_rank = (s.d_model + 15) / 16;
  try {
    s.dt_rank = positive({"ssm_cfg.dt_rank", "time_step_rank"}, s.dt_rank);
  } catch (const CheckpointError&) {  // "auto"; load_config checks the word
  }
  s.headdim = positive({"ssm_cfg.headdim", "head_dim"}, 64);
  s.ngroups = positive({"ssm_cfg.ngroups", "n_groups"}, 1);
  if (is_mamba2) check_heads(json, s);
  s.d_intermediate = (json.find_size({"d_intermediate"}).value_or(0) + 127) / 128 * 128;
  s.bias = json.find_bool({"ssm_cfg.bias", "use_bias"}).value_or(false);
  s.conv_bias = json.find_bool({"ssm_cfg.conv_bias", "use_conv_bias"}).value_or(true);
  s.rms_norm = json.find_bool({"rms_norm", "norm_cfg.rms_norm"}).value_or(true);
  s.tie_embeddings = json.find_bool({"tie_embeddings", "tie_word_embeddings"}).value_or(true);
  s.bidirectional = json.find_bool({"bidirectional"}).value_or(true);
  s.tie_directions = json.find_bool({"bidirectional_weight_tie"}).value_or(true);
  s.rcps = json.find_bool({"rcps"}).value_or(false);
  s.fused = json.find_bool({"fused_add_norm", "norm_cfg.fused_add_norm"}).value_or(true);
  return s;
}

/// Makes tensors one by one; each has the random stream of its name.
class Initializer {
 public:
  Initializer(const Sizes& sizes, std::uint64_t seed) : s_(sizes), seed_(seed) {}

  std::vector<NamedArray> take() { return std::move(tensors_); }

  using Fill = std::function<double(InitRng&, std::size_t)>;
  void add(const std::string& name, std::vector<std::size_t> shape, const Fill& fill) {
    NamedArray tensor{name, std::move(shape), {}};
    std::size_t n = 1;
    for (const std::size_t dim : tensor.shape) {
      n *= dim;
      if (n > kMaxValues) {
        throw CheckpointError("", name,
                              "shape " + checkpoint::shape_to_string(tensor.shape) +
                                  " is larger than a model can be");
      }
    }
    tensor.values.resize(n);
    InitRng rng(seed_, name);
    for (std::size_t i = 0; i < n; ++i)
      tensor.values[i] = static_cast<float>(fill(rng, i));
    tensors_.push_back(std::move(tensor));
  }

  void add_constant(const std::string& name, std::size_t n, double value) {
    add(name, {n}, [=](InitRng&, std::size_t) { return value; });
  }
  /// U(-1/sqrt(fan_in), 1/sqrt(fan_in)) * scale: torch's Linear and Conv1d.
  void add_uniform(const std::string& name, std::vector<std::size_t> shape, std::size_t fan_in,
                   double scale = 1.0) {
    const double bound = scale / std::sqrt(static_cast<double>(fan_in));
    add(name, std::move(shape),
        [=](InitRng& rng, std::size_t) { return rng.uniform(-bound, bound); });
  }

  void add_embedding(const std::string& name) {
    add(name, {s_.vocab_size, s_.d_model},
        [](InitRng& rng, std::size_t) { return 0.02 * rng.normal(); });
  }
  void add_norm(const std::string& prefix, bool rms_norm) {
    add_constant(prefix + "weight", s_.d_model, 1.0);
    if (!rms_norm) add_constant(prefix + "bias", s_.d_model, 0.0);
  }

  void add_mixer(const std::string& prefix, bool is_mamba2, bool own_projections) {
    const std::size_t E = s_.d_inner;
    const std::size_t n_heads = is_mamba2 ? E / s_.headdim : 0;
    const std::size_t n_channels = is_mamba2 ? E + 2 * s_.ngroups * s_.d_state : E;
    const std::size_t in_rows = is_mamba2 ? E + n_channels + n_heads : 2 * E;
    const double residual_scale = 1.0 / std::sqrt(static_cast<double>(s_.n_layer));
    if (own_projections) {
      add_uniform(prefix + "in_proj.weight", {in_rows, s_.d_model}, s_.d_model);
      if (s_.bias) add_constant(prefix + "in_proj.bias", in_rows, 0.0);
    }
    add_uniform(prefix + "conv1d.weight", {n_channels, 1, s_.d_conv}, s_.d_conv);
    if (s_.conv_bias) add_uniform(prefix + "conv1d.bias", {n_channels}, s_.d_conv);
    if (is_mamba2) {
      add_dt_bias(prefix + "dt_bias", n_heads);
      add(prefix + "A_log", {n_heads},
          [](InitRng& rng, std::size_t) { return std::log(rng.uniform(1.0, 16.0)); });
      add_constant(prefix + "D", n_heads, 1.0);
      add_constant(prefix + "norm.weight", E, 1.0);
    } else {
      add_uniform(prefix + "x_proj.weight", {s_.dt_rank + 2 * s_.d_state, E}, E);
      add_uniform(prefix + "dt_proj.weight", {E, s_.dt_rank}, s_.dt_rank);
      add_dt_bias(prefix + "dt_proj.bias", E);
      const std::size_t N = s_.d_state;
      add(prefix + "A_log", {E, N},
          [=](InitRng&, std::size_t i) { return std::log(static_cast<double>(i % N + 1)); });
      add_constant(prefix + "D", E, 1.0);
    }
    if (own_projections) {
      add_uniform(prefix + "out_proj.weight", {s_.d_model, E}, E, residual_scale);
      if (s_.bias) add_constant(prefix + "out_proj.bias", s_.d_model, 0.0);
    }
  }

 private:
  /// The inverse softplus of a step drawn log-uniformly from [0.001, 0.1].
  void add_dt_bias(const std::string& name, std::size_t n) {
    add(name, {n}, [](InitRng& rng, std::size_t) {
      const double dt = std::exp(rng.uniform(std::log(0.001), std::log(0.1)));
      return dt + std::log(-std::expm1(-dt));
    });
  }

  const Sizes& s_;
  std::uint64_t seed_;
  std::vector<NamedArray> tensors_;
};

void add_mlp(Initializer& init, const Sizes& s, const std::string& layer) {
  if (s.d_intermediate == 0) return;
  const double scale = 1.0 / std::sqrt(static_cast<double>(s.n_layer));
  init.add_norm(layer + "norm2.", s.rms_norm);
  init.add_uniform(layer + "mlp.fc1.weight", {2 * s.d_intermediate, s.d_model}, s.d_model);
  init.add_uniform(layer + "mlp.fc2.weight", {s.d_model, s.d_intermediate}, s.d_intermediate,
                   scale);
}

std::vector<NamedArray> make_plain(const Sizes& s, std::uint64_t seed, bool is_mamba2,
                                   bool hugging_face) {
  Initializer init(s, seed);
  const bool rms_norm = hugging_face || s.rms_norm;
  init.add_embedding(hugging_face ? "backbone.embeddings.weight" : "backbone.embedding.weight");
  for (std::size_t i = 0; i < s.n_layer; ++i) {
    const std::string layer = "backbone.layers." + std::to_string(i) + ".";
    init.add_norm(layer + "norm.", rms_norm);
    init.add_mixer(layer + "mixer.", is_mamba2, true);
    if (!hugging_face) add_mlp(init, s, layer);
  }
  init.add_norm("backbone.norm_f.", rms_norm);
  if (!s.tie_embeddings) init.add_embedding("lm_head.weight");
  return init.take();
}

/// Orthrus: a linear input over one-hot letters and tracks, LayerNorm.
std::vector<NamedArray> make_orthrus(const Sizes& s, std::uint64_t seed) {
  Initializer init(s, seed);
  init.add_uniform("embedding.weight", {s.d_model, s.n_tracks}, s.n_tracks);
  init.add_uniform("embedding.bias", {s.d_model}, s.n_tracks);
  for (std::size_t i = 0; i < s.n_layer; ++i) {
    const std::string layer = "layers." + std::to_string(i) + ".";
    init.add_norm(layer + "norm.", false);
    init.add_mixer(layer + "mixer.", false, true);
  }
  init.add_norm("norm_f.", false);
  return init.take();
}

std::vector<NamedArray> make_caduceus(const Sizes& s, std::uint64_t seed, bool is_mamba2) {
  Initializer init(s, seed);
  const std::string base = "caduceus.backbone.";
  const std::string mixer = s.rcps ? "mixer.submodule." : "mixer.";
  const std::string submodule = s.rcps && !s.fused ? "submodule." : "";
  init.add_embedding(base + "embeddings.word_embeddings." + (s.rcps ? "embedding." : "") +
                     "weight");
  for (std::size_t i = 0; i < s.n_layer; ++i) {
    const std::string layer = base + "layers." + std::to_string(i) + ".";
    init.add_norm(layer + "norm." + submodule, s.rms_norm);
    init.add_mixer(layer + mixer + "mamba_fwd.", is_mamba2, true);
    if (s.bidirectional) init.add_mixer(layer + mixer + "mamba_rev.", is_mamba2, !s.tie_directions);
  }
  init.add_norm(base + "norm_f." + submodule, s.rms_norm);
  return init.take();
}

std::vector<NamedArray> make_tensors(const std::string& family, const Sizes& sizes,
                                     std::uint64_t seed) {
  const bool is_mamba2 = family.find("mamba2") != std::string::npos;
  const bool hugging_face = family.starts_with("hf-") || family == "falcon-mamba";
  if (family == kOrthrus) return make_orthrus(sizes, seed);
  if (family.starts_with("caduceus")) return make_caduceus(sizes, seed, is_mamba2);
  return make_plain(sizes, seed, is_mamba2, hugging_face);
}

}  // namespace

std::span<const std::string_view> init_families() noexcept {
  return kFamilies;
}

std::vector<NamedArray> init_model(const InitOptions& options) {
  const std::string& family = options.family;
  if (std::find(kFamilies.begin(), kFamilies.end(), family) == kFamilies.end()) {
    std::string message = "unknown family " + family + "; the choices are";
    for (const std::string_view name : kFamilies)
      message.append(" ").append(name);
    throw UsageError(message);
  }
  checkpoint::ConfigFile config = checkpoint::ConfigFile::load(options.config_path);
  const Sizes sizes = read_sizes(ConfigReader(config), family);
  std::vector<NamedArray> tensors = make_tensors(family, sizes, options.seed);
  // What is made must be readable: config.json and shapes agree in all that the reader checks.
  load_config({.path = options.config_path,
               .name = family,
               .config = std::move(config),
               .weights = checkpoint::make_tensor_source(tensors, options.config_path),
               .tokenizer_config = std::nullopt,
               .tokenizer = std::nullopt});
  return tensors;
}

}  // namespace genomamba::model
