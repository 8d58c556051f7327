// SPDX-License-Identifier: MIT
// The steps of the Mamba-2 mixer between conv1d and out_proj (mamba_ssm/modules/mamba2.py,
// Mamba2.forward).
#include <cmath>

#include "genomamba/kernels/activations.hpp"
#include "genomamba/kernels/ssd_scan.hpp"
#include "mixer_pass.hpp"

namespace genomamba::model {

void mamba2_scan(const MixerPass& pass, const BlockBuffers& buffers, const Piece& piece,
                 Strip heads) {
  const MambaConfig& config = pass.config;
  const PieceState state = state_of(pass, buffers, piece);
  const std::size_t row = piece.rows.begin;
  const float* xBC = buffers.conv_out.row(row);
  const std::size_t conv_stride = buffers.conv_out.stride();
  kernels::ssd_scan({
      .seqlen = piece.rows.size(),
      .n_heads = config.n_heads,
      .headdim = config.headdim,
      .d_state = config.d_state,
      .ngroups = config.ngroups,
      .head_begin = heads.begin,
      .head_end = heads.end,
      .x = xBC,
      .x_stride = conv_stride,
      .dt = buffers.xz.row(row) + pass.widths.in_proj - config.n_heads,
      .dt_stride = buffers.xz.stride(),
      .A = pass.weights.A.data(),
      .B = xBC + config.d_inner,
      .B_stride = conv_stride,
      .C = xBC + config.d_inner + config.ngroups * config.d_state,
      .C_stride = conv_stride,
      .D = pass.weights.D.data(),
      .D_has_hdim = pass.weights.D.size() != config.n_heads,
      .dt_bias = pass.weights.dt_bias.data(),
      .dt_softplus = true,
      .dt_limit_min = config.dt_limit_min,
      .dt_limit_max = config.dt_limit_max,
      .reverse = pass.reverse,
      .state = state.ssm,
      .out = buffers.y_part.row(row),
      .out_stride = buffers.y_part.stride(),
  });
}

void mamba2_gate(const MixerPass& pass, const BlockBuffers& buffers, RowRange block) {
  const MambaConfig& config = pass.config;
  const bool has_norm = pass.weights.norm.size() > 0;
  const std::size_t n_groups = config.ngroups;
  const std::size_t width = config.d_inner / n_groups;
  for (std::size_t row = block.begin; row < block.end; ++row) {
    float* z = buffers.xz.row(row);
    float* part = buffers.y_part.row(row);
    float* y = buffers.y.row(row);
    // The gate is written over the part below, z is needed again by the other direction.
    float* gate = buffers.conv_out.row(row);
    kernels::silu(z, gate, config.d_inner);
    for (std::size_t c = 0; c < config.d_inner; ++c)
      part[c] *= gate[c];
    for (std::size_t g = 0; has_norm && g < n_groups; ++g) {
      float* group = part + g * width;
      double sum = 0;
      for (std::size_t c = 0; c < width; ++c)
        sum += static_cast<double>(group[c]) * group[c];
      const auto scale = static_cast<float>(
          1.0 / std::sqrt(sum / static_cast<double>(width) + config.mixer_norm_epsilon));
      for (std::size_t c = 0; c < width; ++c)
        group[c] *= scale * pass.weights.norm[g * width + c];
    }
    for (std::size_t c = 0; c < config.d_inner; ++c) {
      y[c] = pass.accumulate ? y[c] + part[c] : part[c];
    }
  }
}

}  // namespace genomamba::model
