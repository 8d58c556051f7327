// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "checkpoint_names.hpp"
#include "genomamba/core/error.hpp"
#include "mamba_weights.hpp"
#include "named_tensors.hpp"
#include "scratch_pool.hpp"

namespace genomamba::model {
namespace {

using Values = AlignedBuffer<float>;
using kernels::PackedLinear;

/// A, C, G, T are 7, 8, 9, 10 in the Caduceus table, by which models with a linear input are fed.
constexpr std::size_t kFirstBaseId = 7;

/// Reads one checkpoint's tensors into packed weights, one tensor at a time, so that no more than
/// the largest of them is in memory twice.
class Loader {
 public:
  Loader(const checkpoint::ModelDirectory& directory, const MambaConfig& config)
      : config_(config), tensors_(*directory.weights), names_(find_names(*directory.weights)) {}

  MambaWeights load() {
    MambaWeights weights;
    for (std::size_t i = 0; i < config_.n_layer; ++i)
      weights.layers.push_back(load_layer(i));
    load_norm(names_.norm_f, is_flipped(config_.n_layer), weights.norm_f);
    load_embeddings(weights);
    if (!names_.complement_map.empty()) mark_complement_maps();
    weights.unused_tensors = tensors_.unused();
    weights.n_bytes = n_bytes_;
    return weights;
  }

 private:
  /// RC-equivariant models that swap strand halves: in an odd state (before blocks 0, 2, 4, ... and
  /// after an odd number of blocks) the block sees flip_LC of the stream as it is kept here. The
  /// flip of channels is put into the weights, the flip of time into the roles of the two
  /// directions (models.md 2(e), flip-free form).
  bool is_flipped(std::size_t layer) const {
    if (config_.strands != Strands::kRcSwap) return false;
    return layer < config_.n_layer ? layer % 2 == 0 : config_.n_layer % 2 == 1;
  }

  /// A tensor that stays as it is.
  Values take(const std::string& name, std::initializer_list<std::size_t> shape) {
    Values values = tensors_.values(name, shape);
    n_bytes_ += values.size() * sizeof(float);
    return values;
  }
  /// A tensor that will be packed: in scratch memory, to be given back.
  Values borrow(const std::string& name, std::initializer_list<std::size_t> shape) {
    std::size_t n = 1;
    for (const std::size_t dim : shape)
      n *= dim;
    n_bytes_ += n * sizeof(float);
    return tensors_.values(name, shape, scratch_.take(n));
  }
  Values borrow_or_none(const std::string& name, std::initializer_list<std::size_t> shape) {
    return tensors_.has(name) ? borrow(name, shape) : Values();
  }

  static void reverse_columns(Values& matrix, std::size_t cols) {
    for (std::size_t at = 0; at + cols <= matrix.size(); at += cols) {
      std::reverse(matrix.data() + at, matrix.data() + at + cols);
    }
  }
  static void reverse_rows(Values& matrix, std::size_t cols) {
    const std::size_t rows = matrix.size() / cols;
    for (std::size_t i = 0; i < rows / 2; ++i) {
      float* row = matrix.data() + i * cols;
      std::swap_ranges(row, row + cols, matrix.data() + (rows - 1 - i) * cols);
    }
  }
  static void scale_columns(Values& matrix, const Values& scale) {
    for (std::size_t i = 0; i < matrix.size(); ++i)
      matrix[i] *= scale[i % scale.size()];
  }
  static PackedLinear pack(const Values& matrix, std::size_t rows, const Values& bias) {
    const std::size_t cols = matrix.size() / rows;
    return PackedLinear(Span2d<const float>(matrix.data(), rows, cols), bias.data());
  }
  PackedLinear pack_borrowed(Values matrix, std::size_t rows, Values bias = {}) {
    PackedLinear packed = pack(matrix, rows, bias);
    scratch_.give_back(std::move(matrix));
    scratch_.give_back(std::move(bias));
    return packed;
  }

  void load_norm(const std::string& prefix, bool flipped, NormWeights& norm) {
    norm.weight = take(prefix + "weight", {config_.d_model});
    if (config_.norm == Norm::kLayer) norm.bias = take(prefix + "bias", {config_.d_model});
    if (flipped) {
      reverse_columns(norm.weight, config_.d_model);
      if (norm.bias.size() > 0) reverse_columns(norm.bias, config_.d_model);
    }
  }

  LayerWeights load_layer(std::size_t index) {
    LayerWeights layer;
    const bool flipped = is_flipped(index);
    load_norm(names_.layer(index, names_.norm), flipped, layer.norm);
    load_mixer(index, flipped, layer);
    if (names_.has_mlp) load_mlp(index, layer.mlp);
    if (config_.norm == Norm::kRms) layer.norm.weight = Values();  // folded into in_proj
    return layer;
  }

  std::size_t in_proj_rows() const {
    if (config_.mixer == Mixer::kMamba1) return 2 * config_.d_inner;
    return 2 * config_.d_inner + 2 * config_.ngroups * config_.d_state + config_.n_heads;
  }

  void load_mixer(std::size_t index, bool flipped, LayerWeights& layer) {
    const bool bidirectional = config_.is_bidirectional();
    for (std::size_t d = 0; d < (bidirectional ? 2U : 1U); ++d) {
      const bool stored_reverse = bidirectional && (d == 1) != flipped;
      const std::string prefix =
          names_.layer(index, stored_reverse ? names_.mixer_rev : names_.mixer);
      load_direction(prefix, layer.mixer.direction[d]);
      if (bidirectional && config_.bidirectional_weight_tie) {
        if (d == 0) load_tied_projections(index, flipped, layer);
      } else {
        load_projections(prefix, flipped, layer, d);
      }
    }
  }

  void load_projections(const std::string& prefix, bool flipped, LayerWeights& layer,
                        std::size_t d) {
    Values in_proj = borrow(prefix + "in_proj.weight", {in_proj_rows(), config_.d_model});
    Values out_proj = borrow(prefix + "out_proj.weight", {config_.d_model, config_.d_inner});
    pack_projections(prefix, std::move(in_proj), std::move(out_proj), flipped, layer, d);
  }

  /// The file may hold the shared projections under either direction's name, or under both: then
  /// they must agree.
  void load_tied_projections(std::size_t index, bool flipped, LayerWeights& layer) {
    const std::string fwd = names_.layer(index, names_.mixer);
    const std::string rev = names_.layer(index, names_.mixer_rev);
    Values in_proj = take_tied(fwd, rev, "in_proj.weight", {in_proj_rows(), config_.d_model});
    Values out_proj = take_tied(fwd, rev, "out_proj.weight", {config_.d_model, config_.d_inner});
    for (const char* bias : {"in_proj.bias", "out_proj.bias"}) {
      if (tensors_.has(rev + bias)) check_equal(fwd + bias, rev + bias);
    }
    pack_projections(fwd, std::move(in_proj), std::move(out_proj), flipped, layer, 0);
  }

  Values take_tied(const std::string& fwd, const std::string& rev, const std::string& leaf,
                   std::initializer_list<std::size_t> shape) {
    const bool in_both = tensors_.has(fwd + leaf) && tensors_.has(rev + leaf);
    if (in_both) check_equal(fwd + leaf, rev + leaf);
    return borrow((tensors_.has(rev + leaf) && !in_both ? rev : fwd) + leaf, shape);
  }

  void check_equal(const std::string& a, const std::string& b) {
    const checkpoint::Tensor& first = tensors_.require(a, tensors_.source().find(b)->shape.size());
    const checkpoint::Tensor& second = tensors_.require(b, first.shape.size());
    const Values x = checkpoint::to_float(first);
    const Values y = checkpoint::to_float(second);
    if (first.shape != second.shape ||
        std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) != 0) {
      throw CheckpointError(second.path, b,
                            "differs from " + a + ", though config.json says that they are tied");
    }
  }

  void pack_projections(const std::string& prefix, Values in_proj, Values out_proj, bool flipped,
                        LayerWeights& layer, std::size_t d) {
    Values in_bias = borrow_or_none(prefix + "in_proj.bias", {in_proj_rows()});
    Values out_bias = borrow_or_none(prefix + "out_proj.bias", {config_.d_model});
    if (flipped) {
      reverse_columns(in_proj, config_.d_model);
      reverse_rows(out_proj, config_.d_inner);
      if (out_bias.size() > 0) reverse_columns(out_bias, config_.d_model);
    }
    if (config_.norm == Norm::kRms) scale_columns(in_proj, layer.norm.weight);
    // W y_fwd + b + W y_rev + b is computed as W (y_fwd + y_rev) + 2b.
    if (config_.direction == Direction::kBidirectionalAdd && config_.bidirectional_weight_tie) {
      for (float& value : out_bias.span())
        value *= 2;
    }
    layer.mixer.in_proj[d] = pack_borrowed(std::move(in_proj), in_proj_rows(), std::move(in_bias));
    layer.mixer.out_proj[d] =
        pack_borrowed(std::move(out_proj), config_.d_model, std::move(out_bias));
  }

  void load_direction(const std::string& prefix, DirectionWeights& direction) {
    const std::size_t d_inner = config_.d_inner;
    const std::size_t n_channels =
        config_.mixer == Mixer::kMamba1 ? d_inner : d_inner + 2 * config_.ngroups * config_.d_state;
    Values conv = borrow(prefix + "conv1d.weight", {n_channels, 1, config_.d_conv});
    Values conv_bias = borrow_or_none(prefix + "conv1d.bias", {n_channels});
    direction.conv1d =
        kernels::ConvWeights(conv.data(), conv_bias.data(), n_channels, config_.d_conv);
    scratch_.give_back(std::move(conv));
    scratch_.give_back(std::move(conv_bias));
    if (config_.mixer == Mixer::kMamba1) {
      load_mamba1(prefix, direction);
    } else {
      load_mamba2(prefix, direction);
    }
  }

  void load_mamba1(const std::string& prefix, DirectionWeights& direction) {
    const std::size_t d_inner = config_.d_inner;
    const std::size_t x_rows = config_.dt_rank + 2 * config_.d_state;
    direction.x_proj = pack_borrowed(borrow(prefix + "x_proj.weight", {x_rows, d_inner}), x_rows);
    Values dt_proj = borrow(prefix + "dt_proj.weight", {d_inner, config_.dt_rank});
    Values delta_bias = borrow(prefix + "dt_proj.bias", {d_inner});
    Values D = borrow(prefix + "D", {d_inner});
    Values A = borrow(prefix + "A_log", {d_inner, config_.d_state});
    to_A(prefix, A);
    direction.scan = kernels::ScanWeights(A.data(), D.data(), delta_bias.data(), d_inner,
                                          config_.d_state, dt_proj.data(), config_.dt_rank);
    for (Values* values : {&dt_proj, &delta_bias, &D, &A}) {
      scratch_.give_back(std::move(*values));
    }
  }

  void load_mamba2(const std::string& prefix, DirectionWeights& direction) {
    direction.dt_bias = take(prefix + "dt_bias", {config_.n_heads});
    direction.A = take(prefix + "A_log", {config_.n_heads});
    to_A(prefix, direction.A);
    const checkpoint::Tensor& D = tensors_.require(prefix + "D", 1);
    direction.D =
        take(prefix + "D", {D.shape[0] == config_.d_inner ? config_.d_inner : config_.n_heads});
    if (tensors_.has(prefix + "norm.weight")) {
      direction.norm = take(prefix + "norm.weight", {config_.d_inner});
    }
  }

  /// A = -exp(A_log), in place, in double once. Overflow would make a decay of exp(-inf * 0) = NaN.
  void to_A(const std::string& prefix, Values& A) {
    for (std::size_t i = 0; i < A.size(); ++i) {
      A[i] = static_cast<float>(-std::exp(static_cast<double>(A[i])));
      if (!std::isfinite(A[i])) {
        throw CheckpointError(tensors_.source().path(), prefix + "A_log",
                              "exp overflows at index " + std::to_string(i));
      }
    }
  }

  void load_mlp(std::size_t index, MlpWeights& mlp) {
    load_norm(names_.layer(index, "norm2."), false, mlp.norm2);
    const std::size_t width = config_.d_intermediate;
    Values fc1 = borrow(names_.layer(index, "mlp.fc1.weight"), {2 * width, config_.d_model});
    if (config_.norm == Norm::kRms) scale_columns(fc1, mlp.norm2.weight);
    mlp.fc1 = pack_borrowed(std::move(fc1), 2 * width,
                            borrow_or_none(names_.layer(index, "mlp.fc1.bias"), {2 * width}));
    mlp.fc2 = pack_borrowed(borrow(names_.layer(index, "mlp.fc2.weight"), {config_.d_model, width}),
                            config_.d_model,
                            borrow_or_none(names_.layer(index, "mlp.fc2.bias"), {config_.d_model}));
  }

  /// A linear layer over one-hot letters is a table: the column of the letter plus the bias; N and
  /// every other token are all zeros, so the bias alone.
  void load_linear_input(MambaWeights& weights) {
    const std::size_t n_tracks = config_.n_tracks;
    const Values weight = take(names_.embedding, {config_.d_model, n_tracks});
    const Values bias = take(names_.base + "embedding.bias", {config_.d_model});
    weights.embedding = Values(config_.vocab_size * config_.d_model);
    for (std::size_t id = 0; id < config_.vocab_size; ++id) {
      const bool is_base = id >= kFirstBaseId && id < kFirstBaseId + 4;
      for (std::size_t c = 0; c < config_.d_model; ++c) {
        const float column = is_base ? weight[c * n_tracks + id - kFirstBaseId] : 0.0F;
        weights.embedding[id * config_.d_model + c] = column + bias[c];
      }
    }
    weights.track_embedding = Values((n_tracks - 4) * config_.d_model);
    for (std::size_t i = 0; i < weights.track_embedding.size(); ++i) {
      const std::size_t track = 4 + i / config_.d_model;
      weights.track_embedding[i] = weight[i % config_.d_model * n_tracks + track];
    }
  }

  void load_embeddings(MambaWeights& weights) {
    if (config_.n_tracks > 0) return load_linear_input(weights);
    const std::size_t vocab = config_.vocab_size;
    const bool stored_head = !names_.lm_head.empty();
    const bool stored_embedding = !names_.embedding.empty();
    if (config_.tie_embeddings && stored_head && stored_embedding) {
      check_equal(names_.embedding, names_.lm_head);
    }
    weights.embedding =
        take(stored_embedding ? names_.embedding : names_.lm_head, {vocab, config_.d_model});
    if (!config_.has_lm_head) return;
    if (config_.tie_embeddings) {
      pack_head(weights.embedding, weights);
    } else {
      Values head = borrow(names_.lm_head, {vocab, config_.d_model});
      pack_head(head, weights);
      scratch_.give_back(std::move(head));
    }
  }

  /// logits[t] = F[t] W^T + flip_C(S[t]) W[complement_map]^T for the halves F and S of the hidden
  /// state.
  void pack_head(const Values& head, MambaWeights& weights) {
    const Values none;
    weights.lm_head = pack(head, config_.vocab_size, none);
    n_bytes_ += head.size() * sizeof(float);
    if (config_.strands == Strands::kSingle) return;
    Values permuted(head.size());
    for (std::size_t row = 0; row < config_.vocab_size; ++row) {
      const auto from = static_cast<std::size_t>(config_.complement_map[row]);
      std::reverse_copy(head.data() + from * config_.d_model,
                        head.data() + (from + 1) * config_.d_model,
                        permuted.data() + row * config_.d_model);
    }
    weights.lm_head_rc = pack(permuted, config_.vocab_size, none);
    n_bytes_ += head.size() * sizeof(float);
  }

  void mark_complement_maps() {
    for (const checkpoint::Tensor& tensor : tensors_.source().tensors()) {
      const std::string& name = tensor.name;
      constexpr std::string_view kEnd = "complement_map";
      if (name.size() >= kEnd.size() && name.substr(name.size() - kEnd.size()) == kEnd) {
        tensors_.mark_used(name);
      }
    }
  }

  const MambaConfig& config_;
  NamedTensors tensors_;
  CheckpointNames names_;
  ScratchPool scratch_;
  std::size_t n_bytes_ = 0;
};

}  // namespace

MambaWeights load_weights(const checkpoint::ModelDirectory& directory, const MambaConfig& config) {
  MambaWeights weights = Loader(directory, config).load();
  for (const auto& file : directory.weights->files())
    file->check_unchanged();
  return weights;
}

}  // namespace genomamba::model
