// SPDX-License-Identifier: MIT
// Packing of conv1d weights, the carried state, and the call of the active table.
#include "genomamba/kernels/causal_conv1d.hpp"

#include <algorithm>
#include <cassert>

#include "kernel_table.hpp"

namespace genomamba::kernels {
namespace {

/// Row of x at time t of the direction of the scan.
const float* input_row(const CausalConv1dArgs& args, std::size_t t) {
  return args.x + (args.reverse ? args.seqlen - 1 - t : t) * args.x_stride;
}

/// The last d_conv - 1 inputs move into the state, oldest first: from the old state as far as x is
/// too short.
void update_state(const CausalConv1dArgs& args) {
  const std::size_t rows = args.weights->d_conv() - 1;
  const std::size_t channels = args.weights->channels();
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t age = rows - i;  // 1 for the newest
    const float* source = age <= args.seqlen ? input_row(args, args.seqlen - age)
                                             : args.state + (i + args.seqlen) * channels;
    std::copy(source + args.channel_begin, source + args.channel_end,
              args.state + i * channels + args.channel_begin);
  }
}

}  // namespace

ConvWeights::ConvWeights(const float* weight, const float* bias, std::size_t channels,
                         std::size_t d_conv)
    : channels_(channels), d_conv_(d_conv), taps_(channels * d_conv), bias_(channels) {
  assert(d_conv >= 1);
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t k = 0; k < d_conv; ++k)
      taps_[k * channels + c] = weight[c * d_conv + k];
  }
  if (bias != nullptr) std::copy_n(bias, channels, bias_.data());
}

void causal_conv1d_silu(const CausalConv1dArgs& args) {
  const ConvWeights& weights = *args.weights;
  assert(args.channel_begin <= args.channel_end && args.channel_end <= weights.channels());
  if (args.seqlen == 0 || args.channel_begin == args.channel_end) return;
  const std::size_t c = args.channel_begin;
  const std::size_t first = args.reverse ? args.seqlen - 1 : 0;
  const std::ptrdiff_t sign = args.reverse ? -1 : 1;
  active_table().causal_conv1d_silu({
      .seqlen = args.seqlen,
      .channels = args.channel_end - c,
      .d_conv = weights.d_conv(),
      .x = args.x + first * args.x_stride + c,
      .x_stride = sign * static_cast<std::ptrdiff_t>(args.x_stride),
      .out = args.out + first * args.out_stride + c,
      .out_stride = sign * static_cast<std::ptrdiff_t>(args.out_stride),
      .taps = weights.taps() + c,
      .taps_stride = weights.channels(),
      .bias = weights.bias() + c,
      .state = args.state != nullptr ? args.state + c : nullptr,
      .state_stride = weights.channels(),
  });
  if (args.state != nullptr) update_state(args);
}

}  // namespace genomamba::kernels
