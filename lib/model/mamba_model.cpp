// SPDX-License-Identifier: MIT
#include "genomamba/model/mamba_model.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "block_buffers.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/kernels/norm.hpp"
#include "mamba_block.hpp"
#include "mamba_weights.hpp"

namespace genomamba::model {
struct MambaModel::Impl {
  MambaConfig config;
  MambaWeights weights;
  BufferWidths widths;
  std::size_t block_rows;

  Impl(MambaConfig config_in, MambaWeights weights_in)
      : config(std::move(config_in)), weights(std::move(weights_in)), widths(config) {
    if (config.mixer == Mixer::kMamba1) {
      // The packed layout of the scan pads the channels.
      widths.ssm_state = weights.layers[0].mixer.direction[0].scan.state_size();
    }
    block_rows = choose_block_rows(widths);
  }

  std::size_t n_strands() const { return config.strands == Strands::kSingle ? 1 : 2; }

  /// Which half of `hidden` a stream occupies: 0 is the sequence itself, 1 its reverse complement.
  /// After an odd number of swapping blocks the final state of the authors' code has them the other
  /// way round.
  std::size_t half_of(std::size_t strand, std::size_t layer) const {
    const bool swapped =
        config.strands == Strands::kRcSwap && layer == kLastLayer && config.n_layer % 2 == 1;
    return swapped ? 1 - strand : strand;
  }

  Span2d<float> stream(Span2d<float> hidden, std::size_t strand, std::size_t layer) const {
    return hidden.col_block(half_of(strand, layer) * config.d_model, config.d_model);
  }

  void check(const Batch& batch, std::size_t layer, const Span2d<float>& hidden) const;
  void embed(const Batch& batch, std::size_t strand, Span2d<float> residual) const;
  void finish(std::size_t strand, std::size_t layer, Span2d<float> residual,
              std::span<const std::size_t> wanted, Executor& executor) const;
  std::size_t tile_rows(std::size_t n_tokens, std::size_t concurrency) const {
    return choose_tile_rows(block_rows, n_tokens, concurrency);
  }
};

MambaModel::MambaModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
MambaModel::~MambaModel() = default;
MambaModel::MambaModel(MambaModel&&) noexcept = default;
MambaModel& MambaModel::operator=(MambaModel&&) noexcept = default;

MambaModel MambaModel::load(const checkpoint::ModelDirectory& directory) {
  MambaConfig config = load_config(directory);
  MambaWeights weights = load_weights(directory, config);
  return MambaModel(std::make_unique<Impl>(std::move(config), std::move(weights)));
}

const MambaConfig& MambaModel::config() const noexcept {
  return impl_->config;
}
const std::vector<std::string>& MambaModel::unused_tensors() const noexcept {
  return impl_->weights.unused_tensors;
}
std::size_t MambaModel::weights_bytes() const noexcept {
  return impl_->weights.n_bytes;
}

MambaState MambaModel::make_state() const {
  if (!impl_->config.is_causal()) {
    throw UsageError("a state can be carried in causal models only; this is " +
                     impl_->config.family);
  }
  return MambaState(impl_->config.n_layer, impl_->widths.halo, impl_->widths.ssm_state);
}

std::size_t MambaModel::workspace_bytes(std::size_t n_tokens,
                                        std::size_t concurrency) const noexcept {
  return model::workspace_bytes(impl_->config, n_tokens, concurrency);
}

void MambaModel::Impl::check(const Batch& batch, std::size_t layer,
                             const Span2d<float>& hidden) const {
  if (layer != kLastLayer && layer >= config.n_layer) {
    throw UsageError("layer " + std::to_string(layer) +
                     " is out of range: the model has layers 0 to " +
                     std::to_string(config.n_layer - 1));
  }
  for (const TokenId token : batch.tokens) {
    if (token < 0 || static_cast<std::size_t>(token) >= config.vocab_size) {
      throw UsageError("token id " + std::to_string(token) +
                       " is out of range: the model's vocabulary has " +
                       std::to_string(config.vocab_size) + " ids");
    }
  }
  const std::size_t n_tracked = config.n_tracks == 6 ? batch.tokens.size() : 0;
  if (batch.tracks.size() != n_tracked) {
    throw UsageError(n_tracked > 0 ? "the model needs codon and exon tracks beside the sequence"
                                   : "the model takes no tracks beside the sequence");
  }
  if (!std::is_sorted(batch.rows.begin(), batch.rows.end()) ||
      (!batch.rows.empty() && batch.rows.back() >= batch.tokens.size())) {
    throw UsageError("the rows that are wanted do not ascend within the batch's tokens");
  }
  std::size_t covered = 0;
  for (const Segment& segment : batch.segments) {
    if (segment.begin != covered || segment.length > batch.tokens.size() - covered) {
      throw UsageError("segments do not cover the batch's tokens in order");
    }
    if (segment.state != nullptr && !config.is_causal()) {
      throw UsageError("a state can be carried in causal models only");
    }
    covered += segment.length;
  }
  if (covered != batch.tokens.size() || hidden.rows() != batch.tokens.size() ||
      hidden.cols() != config.hidden_width()) {
    throw UsageError("segments, tokens and hidden rows do not fit together");
  }
}

/// The second strand of an RC-equivariant model is kept at forward positions: row t holds the
/// embedding of the complement of token t, and time runs backwards over the rows.
void MambaModel::Impl::embed(const Batch& batch, std::size_t strand, Span2d<float> residual) const {
  const std::size_t d_model = config.d_model;
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
    auto id = static_cast<std::size_t>(batch.tokens[i]);
    if (strand == 1) id = static_cast<std::size_t>(config.complement_map[id]);
    float* row = residual.row_data(i);
    std::memcpy(row, weights.embedding.data() + id * d_model, d_model * sizeof(float));
    for (std::size_t track = 0; track < batch.tracks.size() * 2 / batch.tokens.size(); ++track) {
      if ((batch.tracks[i] >> track & 1) == 0) continue;
      const float* added = weights.track_embedding.data() + track * d_model;
      for (std::size_t c = 0; c < d_model; ++c)
        row[c] += added[c];
    }
  }
}

/// norm_f where it is wanted, and for the second strand the flip of channels that its half of the
/// hidden state has.
void MambaModel::Impl::finish(std::size_t strand, std::size_t layer, Span2d<float> residual,
                              std::span<const std::size_t> wanted, Executor& executor) const {
  const std::vector<RowRange> blocks = plan_wanted({0, residual.rows()}, block_rows, wanted);
  executor.parallel_for(blocks.size(), [&](std::size_t i) {
    const Span2d<float> rows = residual.row_block(blocks[i].begin, blocks[i].size());
    if (layer == kLastLayer) {
      const NormWeights& norm = weights.norm_f;
      if (config.norm == Norm::kRms) {
        kernels::rms_norm(rows, norm.weight.data(), config.norm_epsilon, rows);
      } else {
        kernels::layer_norm(rows, norm.weight.data(), norm.bias.data(), config.norm_epsilon, rows);
      }
    }
    if (strand == 0 || config.strands == Strands::kSingle) return;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      std::reverse(rows.row_data(row), rows.row_data(row) + config.d_model);
    }
  });
}

void MambaModel::forward(const Batch& batch, std::size_t layer, Workspace& workspace,
                         Span2d<float> hidden, Executor& executor) const {
  const Impl& impl = *impl_;
  impl.check(batch, layer, hidden);
  if (batch.tokens.empty()) return;
  const std::size_t n_blocks = layer == kLastLayer ? impl.config.n_layer : layer + 1;
  const std::size_t tile_rows = impl.tile_rows(batch.tokens.size(), executor.concurrency());
  const std::vector<RowRange> units =
      plan_units(batch.segments, tile_rows, impl.config.is_bidirectional());
  std::size_t unit_rows = 0;
  for (const RowRange& unit : units)
    unit_rows = std::max(unit_rows, unit.size());
  BlockBuffers buffers =
      BlockBuffers::lay_out(impl.widths, tile_rows, unit_rows,
                            (tile_rows + impl.block_rows - 1) / impl.block_rows, workspace);
  const BlockContext context{.config = impl.config,
                             .widths = impl.widths,
                             .segments = batch.segments,
                             .buffers = buffers,
                             .executor = executor,
                             .tile_rows = tile_rows,
                             .block_rows = impl.block_rows};
  BlockContext last_context = context;
  last_context.rows = batch.rows;
  for (std::size_t strand = 0; strand < impl.n_strands(); ++strand) {
    const Span2d<float> residual = impl.stream(hidden, strand, layer);
    impl.embed(batch, strand, residual);
    for (std::size_t i = 0; i < n_blocks; ++i) {
      for (const RowRange& unit : units) {
        run_block(i + 1 < n_blocks ? context : last_context, impl.weights.layers[i], i, unit,
                  strand == 1, residual);
      }
    }
    impl.finish(strand, layer, residual, batch.rows, executor);
  }
}

void MambaModel::logits(Span2d<const float> hidden, Span2d<float> logits,
                        Executor& executor) const {
  const Impl& impl = *impl_;
  const std::size_t d_model = impl.config.d_model;
  if (!impl.config.has_lm_head) {
    throw UsageError("the model has no lm_head: it gives hidden states, not probabilities");
  }
  if (hidden.cols() != impl.config.hidden_width() || logits.cols() != impl.config.vocab_size ||
      hidden.rows() != logits.rows()) {
    throw UsageError("hidden and logits rows do not fit together");
  }
  const std::vector<RowRange> blocks = plan_blocks({0, hidden.rows()}, impl.block_rows);
  executor.parallel_for(blocks.size(), [&](std::size_t i) {
    const Span2d<const float> rows = hidden.row_block(blocks[i].begin, blocks[i].size());
    const Span2d<float> out = logits.row_block(blocks[i].begin, blocks[i].size());
    kernels::linear(rows.col_block(0, d_model), impl.weights.lm_head, out);
    if (impl.config.strands == Strands::kSingle) return;
    kernels::linear(rows.col_block(d_model, d_model), impl.weights.lm_head_rc, out,
                    {.accumulate = true});
  });
}

}  // namespace genomamba::model
