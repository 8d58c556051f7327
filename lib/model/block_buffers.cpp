// SPDX-License-Identifier: MIT
#include "block_buffers.hpp"

#include <algorithm>

#include "genomamba/kernels/selective_scan.hpp"

namespace genomamba::model {
namespace {

constexpr std::size_t kLine = 16;  ///< floats of a cache line

std::size_t round_to_line(std::size_t n_floats) {
  return (n_floats + kLine - 1) / kLine * kLine;
}

}  // namespace

BufferWidths::BufferWidths(const MambaConfig& config)
    : d_inner(config.d_inner),
      d_model(config.d_model),
      mlp(2 * config.d_intermediate),
      is_layer_norm(config.norm == Norm::kLayer) {
  if (config.mixer == Mixer::kMamba1) {
    in_proj = 2 * config.d_inner;
    conv_channels = config.d_inner;
    x_dbl = config.dt_rank + 2 * config.d_state;
  } else {
    conv_channels = config.d_inner + 2 * config.ngroups * config.d_state;
    conv_offset = config.d_inner;
    in_proj = config.d_inner + conv_channels + config.n_heads;
  }
  ssm_state = config.d_inner * config.d_state;
  halo = (config.d_conv - 1) * conv_channels;
  const bool tied = config.bidirectional_weight_tie;
  keeps_unit = config.is_bidirectional() && tied;
  keeps_y = config.direction == Direction::kBidirectionalAdd && tied;
  keeps_out = config.is_bidirectional() && !keeps_y;
  multiplies = config.direction == Direction::kBidirectionalMultiply;
}

std::size_t choose_block_rows(const BufferWidths& widths) {
  constexpr std::size_t kTargetFloats = 150'000;  // about L2, 512 KiB on Zen 3
  constexpr std::size_t kStep = 48;               // a multiple of the rows of each micro-kernel
  const std::size_t row =
      widths.in_proj + widths.conv_channels + widths.x_dbl + widths.d_inner + widths.mlp;
  return std::clamp<std::size_t>(kTargetFloats / row / kStep * kStep, 2 * kStep, 4 * kStep);
}

std::size_t choose_tile_rows(std::size_t block_rows, std::size_t n_tokens,
                             std::size_t concurrency) {
  // Two blocks a core between barriers: a core that is late leaves one to another.
  const std::size_t n_blocks = concurrency > 1 ? 2 * concurrency : 1;
  return std::clamp<std::size_t>(n_tokens, 1, block_rows * n_blocks);
}

std::size_t workspace_bytes(const MambaConfig& config, std::size_t n_tokens,
                            std::size_t concurrency) {
  const BufferWidths widths(config);
  const std::size_t block_rows = choose_block_rows(widths);
  const std::size_t tile_rows = choose_tile_rows(block_rows, n_tokens, concurrency);
  const std::size_t n_blocks = (tile_rows + block_rows - 1) / block_rows;
  return BlockBuffers::size(widths, tile_rows, n_tokens, n_blocks) * sizeof(float);
}

std::size_t BlockBuffers::place(const BufferWidths& widths, std::size_t tile_rows,
                                std::size_t unit_rows, std::size_t n_halos, float* memory,
                                BlockBuffers& buffers) {
  std::size_t used = 0;
  const auto take = [&](std::size_t n_floats) {
    float* at = memory == nullptr ? nullptr : memory + used;
    used += round_to_line(n_floats);
    return at;
  };
  const auto rows = [&](RowBuffer& buffer, std::size_t n_rows, std::size_t width) {
    if (width == 0) return;
    const std::size_t stride = width == 1 ? 1 : kernels::recommended_stride(width);
    float* at = take(n_rows * stride);
    buffer = RowBuffer(Span2d<float>(at, n_rows, width, stride));
  };
  const bool mamba2 = widths.conv_offset > 0;
  const bool needs_norm = widths.is_layer_norm;
  rows(buffers.normed, tile_rows, needs_norm ? widths.d_model : 0);
  rows(buffers.row_scale, tile_rows, 1);
  rows(buffers.xz, widths.keeps_unit ? unit_rows : tile_rows, widths.in_proj);
  rows(buffers.conv_out, tile_rows, widths.conv_channels);
  rows(buffers.x_dbl, tile_rows, widths.x_dbl);
  rows(buffers.y, widths.keeps_y ? unit_rows : tile_rows, widths.d_inner);
  rows(buffers.y_part, tile_rows, mamba2 ? widths.d_inner : 0);
  rows(buffers.out_first, unit_rows, widths.keeps_out ? widths.d_model : 0);
  rows(buffers.out_part, tile_rows, widths.multiplies ? widths.d_model : 0);
  rows(buffers.mlp, tile_rows, widths.mlp);
  buffers.halos = take(n_halos * widths.halo);
  for (std::size_t slot = 0; slot < 2; ++slot) {
    buffers.carry_conv[slot] = take(widths.halo);
    buffers.carry_ssm[slot] = take(widths.ssm_state);
  }
  buffers.unit_xz_ = widths.keeps_unit;
  buffers.unit_y_ = widths.keeps_y;
  return used;
}

std::size_t BlockBuffers::size(const BufferWidths& widths, std::size_t tile_rows,
                               std::size_t unit_rows, std::size_t n_halos) {
  BlockBuffers unused;
  return place(widths, tile_rows, unit_rows, n_halos, nullptr, unused);
}

BlockBuffers BlockBuffers::lay_out(const BufferWidths& widths, std::size_t tile_rows,
                                   std::size_t unit_rows, std::size_t n_halos,
                                   Workspace& workspace) {
  BlockBuffers buffers;
  float* memory = workspace.reserve(size(widths, tile_rows, unit_rows, n_halos));
  place(widths, tile_rows, unit_rows, n_halos, memory, buffers);
  return buffers;
}

void BlockBuffers::begin_unit(std::size_t first_row) {
  xz.set_first_row(first_row);
  y.set_first_row(first_row);
  out_first.set_first_row(first_row);
}

void BlockBuffers::begin_tile(std::size_t first_row) {
  for (RowBuffer* buffer : {&normed, &row_scale, &conv_out, &x_dbl, &y_part, &out_part, &mlp}) {
    buffer->set_first_row(first_row);
  }
  if (!unit_xz_) xz.set_first_row(first_row);
  if (!unit_y_) y.set_first_row(first_row);
}

}  // namespace genomamba::model
