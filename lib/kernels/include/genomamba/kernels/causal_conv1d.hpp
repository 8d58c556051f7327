// SPDX-License-Identifier: MIT
// Depthwise causal convolution over time, with SiLU fused, as causal_conv1d does it.
#pragma once

#include <cstddef>

#include "genomamba/core/aligned_buffer.hpp"

namespace genomamba::kernels {

/// Weights of one depthwise conv, laid out for the kernels. Immutable, shareable between threads.
class ConvWeights {
 public:
  ConvWeights() = default;
  /// weight [channels, d_conv] (conv1d.weight without its middle axis), bias [channels] or null;
  /// any d_conv >= 1.
  ConvWeights(const float* weight, const float* bias, std::size_t channels, std::size_t d_conv);

  std::size_t channels() const noexcept { return channels_; }
  std::size_t d_conv() const noexcept { return d_conv_; }
  /// Floats of the carried state: the last d_conv - 1 input rows, [d_conv - 1, channels].
  std::size_t state_size() const noexcept { return (d_conv_ - (d_conv_ > 0)) * channels_; }
  /// [d_conv, channels]: tap k multiplies input t - (d_conv - 1) + k.
  const float* taps() const noexcept { return taps_.data(); }
  /// [channels], zeros when there is no bias.
  const float* bias() const noexcept { return bias_.data(); }

 private:
  std::size_t channels_ = 0;
  std::size_t d_conv_ = 0;
  AlignedBuffer<float> taps_;
  AlignedBuffer<float> bias_;
};

struct CausalConv1dArgs {
  const ConvWeights* weights = nullptr;
  std::size_t seqlen = 0;
  std::size_t channel_begin = 0;
  std::size_t channel_end = 0;
  const float* x = nullptr;  ///< [seqlen, channels]
  std::size_t x_stride = 0;
  float* out = nullptr;  ///< [seqlen, channels]; not x
  std::size_t out_stride = 0;
  bool reverse = false;  ///< taps look ahead: out[t] uses x[t + (d_conv - 1) - k]
  /// [d_conv - 1, channels], oldest row first in the direction of time: the inputs before this
  /// call. Read and updated; null means zeros before the sequence, and nothing kept.
  float* state = nullptr;
};

/// out[t, c] = SiLU(bias[c] + sum_k taps[k, c] x[t - (d_conv - 1) + k, c]); x before the sequence
/// is `state` or 0. The result does not depend on how seqlen or channels are cut into calls, to the
/// bit.
void causal_conv1d_silu(const CausalConv1dArgs& args);

}  // namespace genomamba::kernels
