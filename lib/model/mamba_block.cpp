// SPDX-License-Identifier: MIT
#include "mamba_block.hpp"

#include <algorithm>
#include <vector>

#include "genomamba/kernels/linear.hpp"
#include "genomamba/kernels/norm.hpp"
#include "mixer_pass.hpp"

namespace genomamba::model {
namespace {

/// One direction of one block over a unit: its tiles in the direction of time, each in four steps
/// with a barrier between them when several cores work on it.
class DirectionPass {
 public:
  DirectionPass(const BlockContext& context, const LayerWeights& weights, Span2d<float> residual,
                MixerPass pass, std::size_t direction)
      : context_(context),
        weights_(weights),
        residual_(residual),
        pass_(pass),
        is_first_(context.config.is_bidirectional() && direction == 1),
        projection_(context.widths.keeps_unit ? 0 : direction) {}

  void run(RowRange unit) {
    for (const RowRange tile : plan_tiles(unit, context_.tile_rows, pass_.reverse))
      run_tile(tile);
  }

 private:
  void run_tile(RowRange tile) {
    BlockBuffers& buffers = context_.buffers;
    buffers.begin_tile(tile.begin);
    const std::vector<RowRange> blocks = plan_blocks(tile, context_.block_rows);
    const std::vector<Piece> pieces = plan_pieces(context_.segments, tile, pass_.reverse);
    const bool is_skipped = std::none_of(pieces.begin(), pieces.end(),
                                         [&](const Piece& piece) { return matters(piece); });
    if (is_skipped && !(is_first_ && context_.widths.keeps_unit)) return;
    begin_pieces(pass_, buffers, pieces);
    if (is_first_ || !context_.widths.keeps_unit) {
      for_each(blocks.size(), [&](std::size_t i) { project_in(blocks[i]); });
    }
    if (is_skipped) return;
    for_each(blocks.size(), [&](std::size_t i) {
      convolve(pass_, buffers, blocks[i], pieces, buffers.halos + i * context_.widths.halo);
      if (is_mamba1()) mamba1_project(pass_, buffers, blocks[i]);
    });
    carry_conv_states(pass_, buffers, pieces);
    const std::vector<Strip> strips = plan_strips(pieces.size());
    for_each(pieces.size() * strips.size(), [&](std::size_t i) {
      const Piece& piece = pieces[i / strips.size()];
      const Strip strip = strips[i % strips.size()];
      if (is_mamba1()) {
        mamba1_scan(pass_, buffers, piece, strip);
      } else {
        mamba2_scan(pass_, buffers, piece, strip);
      }
    });
    const std::vector<RowRange> wanted = plan_wanted(tile, context_.block_rows, context_.rows);
    for_each(wanted.size(), [&](std::size_t i) {
      if (!is_mamba1()) mamba2_gate(pass_, buffers, wanted[i]);
      project_out(wanted[i]);
    });
    end_pieces(pass_, pieces);
  }

  /// False if nothing that is wanted depends on the piece. A caller's state always does.
  bool matters(const Piece& piece) const {
    const Segment& segment = context_.segments[piece.segment];
    return context_.rows.empty() || segment.state != nullptr ||
           is_wanted(piece, segment, context_.rows, pass_.reverse);
  }

  template <typename Body>
  void for_each(std::size_t n, Body body) {
    if (n == 1) {
      body(std::size_t{0});
    } else {
      context_.executor.parallel_for(n, body);
    }
  }

  bool is_mamba1() const { return context_.config.mixer == Mixer::kMamba1; }

  Span2d<float> residual_rows(RowRange block) const {
    return residual_.row_block(block.begin, block.size());
  }

  /// Enough strips to keep the cores busy, of whole vectors.
  std::vector<Strip> plan_strips(std::size_t n_pieces) const {
    const std::size_t n_cores = context_.executor.concurrency();
    const std::size_t n_channels = is_mamba1() ? context_.config.d_inner : context_.config.n_heads;
    const std::size_t step = is_mamba1() ? kernels::scan_channel_step() : 1;
    const std::size_t wanted =
        n_cores == 1 || n_pieces >= 2 * n_cores
            ? 1
            : (2 * n_cores + n_pieces - 1) / std::max<std::size_t>(1, n_pieces);
    const std::size_t n_steps = (n_channels + step - 1) / step;
    const std::size_t width = (n_steps + wanted - 1) / wanted * step;
    std::vector<Strip> strips;
    for (std::size_t begin = 0; begin < n_channels; begin += width) {
      strips.push_back({begin, std::min(begin + width, n_channels)});
    }
    return strips;
  }

  void project_in(RowRange block) {
    project_normed(block, weights_.norm, weights_.mixer.in_proj[projection_],
                   context_.buffers.xz.rows(block), {});
  }

  /// y = norm(residual) W^T: the weight of an RMSNorm stands in W already, its scale is given row
  /// by row.
  void project_normed(RowRange block, const NormWeights& norm, const kernels::PackedLinear& W,
                      Span2d<float> y, kernels::LinearEpilogue epilogue) {
    const float eps = context_.config.norm_epsilon;
    if (context_.config.norm == Norm::kLayer) {
      const Span2d<float> normed = context_.buffers.normed.rows(block);
      kernels::layer_norm(residual_rows(block), norm.weight.data(), norm.bias.data(), eps, normed);
      kernels::linear(normed, W, y, epilogue);
      return;
    }
    float* row_scale = context_.buffers.row_scale.row(block.begin);
    kernels::rms_scale(residual_rows(block), eps, row_scale);
    epilogue.row_scale = row_scale;
    kernels::linear(residual_rows(block), W, y, epilogue);
  }

  void project_out(RowRange block) {
    const BlockBuffers& buffers = context_.buffers;
    const kernels::PackedLinear& out_proj = weights_.mixer.out_proj[projection_];
    const Span2d<float> y = buffers.y.rows(block);
    const Span2d<float> residual = residual_rows(block);
    if (is_first_) {
      if (context_.widths.keeps_out) kernels::linear(y, out_proj, buffers.out_first.rows(block));
      return;
    }
    if (context_.widths.multiplies) {
      const Span2d<float> out = buffers.out_part.rows(block);
      kernels::linear(y, out_proj, out);
      combine(residual, buffers.out_first.rows(block), &out);
    } else {
      kernels::linear(y, out_proj, residual, {.accumulate = true});
      if (context_.widths.keeps_out) combine(residual, buffers.out_first.rows(block), nullptr);
    }
    if (context_.config.d_intermediate > 0) gated_mlp(block);
  }

  /// residual += first, or residual += first * second.
  static void combine(Span2d<float> residual, Span2d<const float> first,
                      const Span2d<float>* second) {
    for (std::size_t i = 0; i < residual.rows(); ++i) {
      float* r = residual.row_data(i);
      const float* a = first.row_data(i);
      const float* b = second == nullptr ? nullptr : second->row_data(i);
      for (std::size_t j = 0; j < residual.cols(); ++j)
        r[j] += b == nullptr ? a[j] : a[j] * b[j];
    }
  }

  /// residual += fc2(y * SiLU(gate)), [y | gate] = fc1(norm2(residual)).
  void gated_mlp(RowRange block) {
    const std::size_t width = context_.config.d_intermediate;
    const Span2d<float> y_gate = context_.buffers.mlp.rows(block);
    project_normed(block, weights_.mlp.norm2, weights_.mlp.fc1, y_gate, {.silu_begin = width});
    for (std::size_t i = 0; i < y_gate.rows(); ++i) {
      float* row = y_gate.row_data(i);
      for (std::size_t j = 0; j < width; ++j)
        row[j] *= row[width + j];
    }
    kernels::linear(y_gate.col_block(0, width), weights_.mlp.fc2, residual_rows(block),
                    {.accumulate = true});
  }

  const BlockContext& context_;
  const LayerWeights& weights_;
  Span2d<float> residual_;
  MixerPass pass_;
  bool is_first_;           ///< the direction whose result waits for the other one
  std::size_t projection_;  ///< which in_proj and out_proj: tied ones are stored once
};

}  // namespace

void run_block(const BlockContext& context, const LayerWeights& weights, std::size_t layer,
               RowRange unit, bool reverse_strand, Span2d<float> residual) {
  context.buffers.begin_unit(unit.begin);
  const bool bidirectional = context.config.is_bidirectional();
  for (std::size_t direction = bidirectional ? 2 : 1; direction-- > 0;) {
    const MixerPass pass{
        .config = context.config,
        .widths = context.widths,
        .weights = weights.mixer.direction[direction],
        .segments = context.segments,
        .layer = layer,
        .reverse = (direction == 1) != reverse_strand,
        .accumulate = context.widths.keeps_y && direction == 0,
    };
    DirectionPass(context, weights, residual, pass, direction).run(unit);
  }
}

}  // namespace genomamba::model
