// SPDX-License-Identifier: MIT
// Causal depthwise convolution with K = 4 taps, bias and SiLU of one sequence, forward and
// backward, time-major. The last tap multiplies the current position. Strides are signed
// (right-to-left is a negative stride).
#pragma once

#include <cstdint>

namespace train {

constexpr int kConvTaps = 4;

template <class T>
struct ConvInputs {
  std::int64_t seqlen, d_inner;
  const T* x;  // [seqlen, d_inner]
  std::int64_t x_stride;
  const T*
      before;  // [3, d_inner]: the rows before the first one (zeros at the start of a sequence)
  const T* weight;  // [4, d_inner], tap-major
  const T* bias;    // [d_inner]

  // Row t of x, where t may be -3 .. -1.
  const T* row(std::int64_t t) const {
    return t < 0 ? before + (t + kConvTaps - 1) * d_inner : x + t * x_stride;
  }
};

template <class T>
inline typename Simd<T>::V conv_sum(const ConvInputs<T>& in, const T* const rows[kConvTaps],
                                    std::int64_t e) {
  typename Simd<T>::V s = load(in.bias + e);
  for (int k = 0; k < kConvTaps; ++k)
    s += load(in.weight + k * in.d_inner + e) * load(rows[k] + e);
  return s;
}

template <class T>
void conv_forward(const ConvInputs<T>& in, T* out, std::int64_t out_stride) {
  constexpr int W = Simd<T>::kWidth;
  for (std::int64_t t = 0; t < in.seqlen; ++t) {
    const T* rows[kConvTaps];
    for (int k = 0; k < kConvTaps; ++k)
      rows[k] = in.row(t - (kConvTaps - 1) + k);
    T* o = out + t * out_stride;
    for (std::int64_t e = 0; e < in.d_inner; e += W) {
      const auto s = conv_sum(in, rows, e);
      store(o + e, s * sigmoid(s));
    }
  }
}

// dx [seqlen, d_inner] is written; dweight [4, d_inner] and dbias [d_inner] are added to.
// `ring` [4, d_inner] holds d loss / d sum of the last four positions seen (time runs backwards).
template <class T>
void conv_backward(const ConvInputs<T>& in, const T* dout, std::int64_t dout_stride, T* dx,
                   std::int64_t dx_stride, T* dweight, T* dbias, T* ring) {
  using V = typename Simd<T>::V;
  constexpr int W = Simd<T>::kWidth;
  const std::int64_t d_inner = in.d_inner;
  for (std::int64_t i = 0; i < kConvTaps * d_inner; ++i)
    ring[i] = 0;
  for (std::int64_t t = in.seqlen - 1; t >= 0; --t) {
    const T* rows[kConvTaps];
    T* later[kConvTaps];  // later[j]: gradient row of position t + j
    for (int k = 0; k < kConvTaps; ++k) {
      rows[k] = in.row(t - (kConvTaps - 1) + k);
      later[k] = ring + ((t + k) % kConvTaps) * d_inner;
    }
    const T* g = dout + t * dout_stride;
    T* d = dx + t * dx_stride;
    for (std::int64_t e = 0; e < d_inner; e += W) {
      const V s = conv_sum(in, rows, e);
      const V gate = sigmoid(s);
      const V ds = load(g + e) * gate * (1 + s * (1 - gate));
      store(later[0] + e, ds);
      V sum = {};
      for (int j = 0; j < kConvTaps; ++j) {
        sum += load(in.weight + (kConvTaps - 1 - j) * d_inner + e) * load(later[j] + e);
        T* w = dweight + j * d_inner + e;
        store(w, load(w) + ds * load(rows[j] + e));
      }
      store(d + e, sum);
      store(dbias + e, load(dbias + e) + ds);
    }
  }
}

}  // namespace train
