// SPDX-License-Identifier: MIT
// Packing of scan weights and states, and the calls of their table.
#include "genomamba/kernels/selective_scan.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernel_table.hpp"

namespace genomamba::kernels {
namespace {

/// Position of (channel, n) in the packed layout [groups, d_state, group].
std::size_t packed_index(std::size_t channel, std::size_t n, std::size_t d_state,
                         std::size_t group) {
  return (channel / group * d_state + n) * group + channel % group;
}

std::size_t round_up(std::size_t n, std::size_t step) {
  return (n + step - 1) / step * step;
}

AlignedBuffer<float> padded_copy(const float* values, std::size_t n, std::size_t padded) {
  AlignedBuffer<float> copy(values != nullptr ? padded : 0);
  if (values != nullptr) std::copy_n(values, n, copy.data());
  return copy;
}

/// Time runs from the last row to the first when the stride is negative.
template <typename T>
T* first_row(T* data, std::size_t stride, std::size_t seqlen, bool reverse) {
  return data != nullptr && reverse ? data + (seqlen - 1) * stride : data;
}

std::ptrdiff_t signed_stride(std::size_t stride, bool reverse) {
  const auto value = static_cast<std::ptrdiff_t>(stride);
  return reverse ? -value : value;
}

/// Calls selective_scan once for each piece of args' channels, two pieces a core.
template <typename Args>
void scan_pieces(const Args& args, Executor& executor) {
  const std::size_t n_channels = args.channel_end - args.channel_begin;
  const std::size_t step = scan_channel_step();
  const std::size_t n_steps = (n_channels + step - 1) / step;
  const std::size_t n_pieces = std::min(n_steps, 2 * executor.concurrency());
  if (n_pieces == 0) return;
  executor.parallel_for(n_pieces, [&](std::size_t i) {
    Args piece = args;
    piece.channel_begin += i * n_steps / n_pieces * step;
    piece.channel_end =
        args.channel_begin + std::min((i + 1) * n_steps / n_pieces * step, n_channels);
    selective_scan(piece);
  });
}

}  // namespace

ScanWeights::ScanWeights(const float* A, const float* D, const float* delta_bias,
                         std::size_t d_inner, std::size_t d_state, const float* dt_proj,
                         std::size_t dt_rank)
    : table_(&active_table()), d_inner_(d_inner), d_state_(d_state) {
  const std::size_t group = table_->scan_group;
  const std::size_t padded = round_up(d_inner, group);
  packed_ = AlignedBuffer<float>(padded * d_state);
  delta_limit_ = AlignedBuffer<float>(padded);
  for (std::size_t c = 0; c < d_inner; ++c) {
    float A_max = 0.0F;
    for (std::size_t n = 0; n < d_state; ++n) {
      const float scaled = A[c * d_state + n] * table_->scan_A_scale;
      packed_[packed_index(c, n, d_state, group)] = scaled;
      A_max = std::max(A_max, std::fabs(scaled));
    }
    // exp2 is exact to its bound for |delta A'| <= 126; a little less, so that no rounding crosses
    // it. Where A is NaN, either loop gives NaN.
    delta_limit_[c] = 125.99F / A_max;
  }
  D_ = padded_copy(D, d_inner, padded);
  delta_bias_ = padded_copy(delta_bias, d_inner, padded);
  if (dt_proj == nullptr) return;
  dt_rank_ = dt_rank;
  dt_proj_ = AlignedBuffer<float>(padded * dt_rank);
  for (std::size_t c = 0; c < d_inner; ++c) {
    for (std::size_t r = 0; r < dt_rank; ++r)
      dt_proj_[packed_index(c, r, dt_rank, group)] = dt_proj[c * dt_rank + r];
  }
}

std::size_t recommended_stride(std::size_t n) noexcept {
  constexpr std::size_t kLine = 16;
  const std::size_t stride = round_up(n, kLine);
  return stride % 512 == 0 ? stride + kLine : stride;
}

// A multiple of every scan group; finer cuts would leave rows too short to be fetched ahead.
std::size_t scan_channel_step() noexcept {
  return 64;
}

void selective_scan(const PackedScanArgs& args) {
  const ScanWeights& weights = *args.weights;
  const std::size_t c = args.channel_begin;
  assert(c <= args.channel_end && args.channel_end <= weights.d_inner());
  assert(c % weights.table().scan_group == 0);
  assert(args.channel_end % weights.table().scan_group == 0 ||
         args.channel_end == weights.d_inner());
  assert(args.dt_r == nullptr || weights.packed_dt_proj() != nullptr);
  if (args.seqlen == 0 || c == args.channel_end) return;
  const std::size_t packed_begin = c * weights.d_state();
  AlignedBuffer<float> local_state;
  if (args.state == nullptr) {
    local_state = AlignedBuffer<float>(round_up(args.channel_end - c, weights.table().scan_group) *
                                       weights.d_state());
  }
  const bool reverse = args.reverse;
  const auto at = [&](auto* data, std::size_t stride) {
    return first_row(data, stride, args.seqlen, reverse);
  };
  const auto from_channel = [c](auto* data) { return data != nullptr ? data + c : nullptr; };
  weights.table().selective_scan({
      .seqlen = args.seqlen,
      .channels = args.channel_end - c,
      .d_state = weights.d_state(),
      .u = from_channel(at(args.u, args.u_stride)),
      .u_stride = signed_stride(args.u_stride, reverse),
      .delta = from_channel(at(args.delta, args.delta_stride)),
      .delta_stride = signed_stride(args.delta_stride, reverse),
      .B = at(args.B, args.B_stride),
      .B_stride = signed_stride(args.B_stride, reverse),
      .C = at(args.C, args.C_stride),
      .C_stride = signed_stride(args.C_stride, reverse),
      .z = from_channel(at(args.z, args.z_stride)),
      .z_stride = signed_stride(args.z_stride, reverse),
      .out = from_channel(at(args.out, args.out_stride)),
      .out_stride = signed_stride(args.out_stride, reverse),
      .A = weights.packed_A() + packed_begin,
      .delta_limit = weights.delta_limit() + c,
      .D = from_channel(weights.D()),
      .delta_bias = from_channel(weights.delta_bias()),
      .state = args.state != nullptr ? args.state + packed_begin : local_state.data(),
      .dt_r = at(args.dt_r, args.dt_r_stride),
      .dt_r_stride = signed_stride(args.dt_r_stride, reverse),
      .dt_rank = weights.dt_rank(),
      .dt_proj = args.dt_r != nullptr ? weights.packed_dt_proj() + c * weights.dt_rank() : nullptr,
      .delta_softplus = args.delta_softplus,
      .accumulate = args.accumulate,
  });
}

void selective_scan(const SelectiveScanArgs& args) {
  assert(args.channel_begin <= args.channel_end && args.channel_end <= args.d_inner);
  const std::size_t begin = args.channel_begin;
  const std::size_t n_channels = args.channel_end - begin;
  const std::size_t d_state = args.d_state;
  if (n_channels == 0) return;
  const auto from_channel = [begin](auto* data) {
    return data != nullptr ? data + begin : nullptr;
  };
  const ScanWeights weights(args.A + begin * d_state, from_channel(args.D),
                            from_channel(args.delta_bias), n_channels, d_state);
  const std::size_t group = weights.table().scan_group;
  AlignedBuffer<float> state(weights.state_size());
  if (args.initial_state != nullptr) {
    for (std::size_t i = 0; i < n_channels * d_state; ++i) {
      state[packed_index(i / d_state, i % d_state, d_state, group)] =
          args.initial_state[begin * d_state + i];
    }
  }
  selective_scan(PackedScanArgs{
      .weights = &weights,
      .seqlen = args.seqlen,
      .channel_begin = 0,
      .channel_end = n_channels,
      .u = from_channel(args.u),
      .u_stride = args.u_stride,
      .delta = from_channel(args.delta),
      .delta_stride = args.delta_stride,
      .B = args.B,
      .B_stride = args.B_stride,
      .C = args.C,
      .C_stride = args.C_stride,
      .z = from_channel(args.z),
      .z_stride = args.z_stride,
      .delta_softplus = args.delta_softplus,
      .reverse = args.reverse,
      .accumulate = args.accumulate,
      .state = state.data(),
      .out = from_channel(args.out),
      .out_stride = args.out_stride,
  });
  if (args.last_state != nullptr) {
    for (std::size_t i = 0; i < n_channels * d_state; ++i) {
      args.last_state[begin * d_state + i] =
          state[packed_index(i / d_state, i % d_state, d_state, group)];
    }
  }
}

void selective_scan(const SelectiveScanArgs& args, Executor& executor) {
  scan_pieces(args, executor);
}

void selective_scan(const PackedScanArgs& args, Executor& executor) {
  scan_pieces(args, executor);
}

}  // namespace genomamba::kernels
