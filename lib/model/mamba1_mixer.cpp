// SPDX-License-Identifier: MIT
// The steps of the Mamba-1 mixer between conv1d and out_proj (mamba_ssm/modules/mamba_simple.py,
// Mamba.forward).
#include "genomamba/kernels/linear.hpp"
#include "genomamba/kernels/selective_scan.hpp"
#include "mixer_pass.hpp"
#include "weightless_rms.hpp"

namespace genomamba::model {

void mamba1_project(const MixerPass& pass, const BlockBuffers& buffers, RowRange block) {
  const std::size_t dt_rank = pass.config.dt_rank;
  const std::size_t d_state = pass.config.d_state;
  const Span2d<float> x_dbl = buffers.x_dbl.rows(block);
  kernels::linear(buffers.conv_out.rows(block), pass.weights.x_proj, x_dbl);
  if (pass.config.mixer_rms) {
    const float eps = pass.config.mixer_rms_eps;
    weightless_rms(x_dbl.col_block(0, dt_rank), eps);
    weightless_rms(x_dbl.col_block(dt_rank, d_state), eps);
    weightless_rms(x_dbl.col_block(dt_rank + d_state, d_state), eps);
  }
}

void mamba1_scan(const MixerPass& pass, const BlockBuffers& buffers, const Piece& piece,
                 Strip channels) {
  const PieceState state = state_of(pass, buffers, piece);
  const std::size_t row = piece.rows.begin;
  const float* x_dbl = buffers.x_dbl.row(row);
  kernels::selective_scan(kernels::PackedScanArgs{
      .weights = &pass.weights.scan,
      .seqlen = piece.rows.size(),
      .channel_begin = channels.begin,
      .channel_end = channels.end,
      .u = buffers.conv_out.row(row),
      .u_stride = buffers.conv_out.stride(),
      .dt_r = x_dbl,
      .dt_r_stride = buffers.x_dbl.stride(),
      .B = x_dbl + pass.config.dt_rank,
      .B_stride = buffers.x_dbl.stride(),
      .C = x_dbl + pass.config.dt_rank + pass.config.d_state,
      .C_stride = buffers.x_dbl.stride(),
      .z = buffers.xz.row(row) + pass.config.d_inner,
      .z_stride = buffers.xz.stride(),
      .delta_softplus = true,
      .reverse = pass.reverse,
      .accumulate = pass.accumulate,
      .state = state.ssm,
      .out = buffers.y.row(row),
      .out_stride = buffers.y.stride(),
  });
}

}  // namespace genomamba::model
