// SPDX-License-Identifier: MIT
// Selective scan of one sequence, forward and backward, time-major, with softplus, D*u and the SiLU
// gate fused.
//
//   delta[t,e] = softplus(delta_raw[t,e] + delta_bias[e])
//   h[t,e,n]   = exp(delta[t,e]*A[e,n]) * h[t-1,e,n] + delta[t,e]*B[t,n]*u[t,e]
//   out[t,e]   = (sum_n h[t,e,n]*C[t,n] + D[e]*u[t,e]) * SiLU(z[t,e])
//
// Strides are signed: a right-to-left scan is the same code with pointers at the last row and
// negative strides.
#pragma once

#include <algorithm>
#include <cstdint>

namespace train {

constexpr std::int64_t kChunk =
    32;  // tokens between two stored states; the backward pass recomputes within one

// Pointers are to the row of the first token in scan order; sizes and strides count elements.
template <class T>
struct ScanInputs {
  std::int64_t seqlen, d_inner;
  const T* u;  // [seqlen, d_inner]
  std::int64_t u_stride;
  const T* delta_raw;  // [seqlen, d_inner], before bias and softplus
  std::int64_t delta_stride;
  const T* z;  // [seqlen, d_inner]
  std::int64_t z_stride;
  const T* bc;  // [seqlen, 2*d_state]: B then C
  std::int64_t bc_stride;
  const T* a;           // packed [channel vector, d_state, lane], times kDecayScale
  const T* d;           // [d_inner]
  const T* delta_bias;  // [d_inner]
  // [n_chunks + 1, d_inner*d_state], packed [strip of 2 vectors, d_state, 2, lane]: the state
  // before each chunk; [0] is given, the rest is written by the forward pass.
  T* states;
};

template <class T>
struct ScanGradients {
  const T* dout;  // [seqlen, d_inner]
  std::int64_t dout_stride;
  T* du;  // [seqlen, d_inner], written
  std::int64_t du_stride;
  T* ddelta_raw;  // [seqlen, d_inner], written
  std::int64_t ddelta_stride;
  T* dz;  // [seqlen, d_inner], written
  std::int64_t dz_stride;
  T* dbc;  // [seqlen, 2*d_state], written
  std::int64_t dbc_stride;
  T* da;           // packed like `a`, gradient of A itself, added to
  T* dd;           // [d_inner], added to
  T* ddelta_bias;  // [d_inner], added to
  T* scratch;      // scan_backward_scratch<T>(d_inner, d_state) elements
};

constexpr int kStripVectors = 2;  // channel vectors that share one broadcast of B and C

template <class T>
constexpr std::int64_t strip_width() {
  return kStripVectors * Simd<T>::kWidth;
}

template <class T>
std::int64_t scan_backward_scratch(std::int64_t d_inner, int d_state) {
  const std::int64_t width = strip_width<T>();
  const std::int64_t decays_and_states = 2 * kChunk * d_state * width;
  const std::int64_t per_token = 3 * kChunk * width;  // delta, its slope, y
  const std::int64_t bc_lanes =
      kChunk * 2 * d_state * Simd<T>::kWidth;  // dB and dC before the sum over lanes
  return decays_and_states + per_token + bc_lanes + d_inner * d_state;  // + dh
}

// delta and its derivative from the raw value: softplus(x) and sigmoid(x).
template <class V>
inline void softplus_with_slope(V x, V& value, V& slope) {
  const V e = exp_nonpositive(-magnitude(x));
  value = maximum(x, V{}) + log1p_unit(e);
  slope = sigmoid_from(x, e);
}

// The most negative A of each channel of two vectors: the kernel for decays checks its range with
// it.
template <class V, int N, class T>
inline void fastest_of(const T* a, V fastest[2]) {
  for (int j = 0; j < 2; ++j) {
    fastest[j] = load(a + j * N * Simd<T>::kWidth);
    for (int n = 1; n < N; ++n)
      fastest[j] = -maximum(-fastest[j], -load(a + (j * N + n) * Simd<T>::kWidth));
  }
}

// One step of the 2 x N states: h [N, 2, W] from `previous` to `next` (which may be the same), y +=
// h C.
template <class T, int N, class V>
inline void step_states(const T* decays, const T* bc, const V du[2], const T* previous, T* next,
                        V y[2]) {
  constexpr int W = Simd<T>::kWidth;
  V y0 = y[0], y1 = y[1];
#pragma GCC unroll 16
  for (int n = 0; n < N; ++n) {
    const V b = broadcast(bc[n]), c = broadcast(bc[N + n]);
    const V h0 = load(decays + 2 * n * W) * load(previous + 2 * n * W) + du[0] * b;
    const V h1 = load(decays + (2 * n + 1) * W) * load(previous + (2 * n + 1) * W) + du[1] * b;
    store(next + 2 * n * W, h0);
    store(next + (2 * n + 1) * W, h1);
    y0 += h0 * c;
    y1 += h1 * c;
  }
  y[0] = y0;
  y[1] = y1;
}

// A strip is one cache line of each row, and rows are far apart, which hardware prefetchers do not
// follow: ask for the line of the next strip (or, after the last strip, of the next chunk) long
// before it is needed.
struct NextLine {
  std::int64_t rows, columns;  // from the element in hand to the one to fetch
  NextLine(std::int64_t e, std::int64_t strip, std::int64_t d_inner, std::int64_t chunk_step)
      : rows(e + strip < d_inner ? 0 : chunk_step), columns(e + strip < d_inner ? strip : -e) {}
  template <class T>
  void fetch(const T* p, std::int64_t stride) const {
    __builtin_prefetch(p + rows * stride + columns, 0, 2);
  }
  template <class T>
  void fetch_to_write(const T* p, std::int64_t stride) const {
    __builtin_prefetch(p + rows * stride + columns, 1, 2);
  }
};

template <class T, int N>
void scan_forward(const ScanInputs<T>& in, T* out, std::int64_t out_stride) {
  using V = typename Simd<T>::V;
  constexpr int W = Simd<T>::kWidth;
  const std::int64_t state_size = in.d_inner * N;
  alignas(32) T decays[2 * N * W];
  for (std::int64_t begin = 0, chunk = 0; begin < in.seqlen; begin += kChunk, ++chunk) {
    const std::int64_t end = std::min(begin + kChunk, in.seqlen);
    for (std::int64_t e = 0; e < in.d_inner; e += 2 * W) {
      const T* a = in.a + e * N;
      const T* previous = in.states + chunk * state_size + e * N;
      T* h = in.states + (chunk + 1) * state_size + e * N;
      V fastest[2], bias[2], d[2];
      fastest_of<V, N>(a, fastest);
      for (int j = 0; j < 2; ++j) {
        bias[j] = load(in.delta_bias + e + j * W);
        d[j] = load(in.d + e + j * W);
      }
      const NextLine next(e, 2 * W, in.d_inner, kChunk);
      for (std::int64_t t = begin; t < end; ++t) {
        next.fetch(in.delta_raw + t * in.delta_stride + e, in.delta_stride);
        next.fetch(in.u + t * in.u_stride + e, in.u_stride);
        next.fetch(in.z + t * in.z_stride + e, in.z_stride);
        next.fetch_to_write(out + t * out_stride + e, out_stride);
        V delta[2], du[2], y[2];
        for (int j = 0; j < 2; ++j) {
          const V x = load(in.delta_raw + t * in.delta_stride + e + j * W) + bias[j];
          delta[j] = maximum(x, V{}) + log1p_unit(exp_nonpositive(-magnitude(x)));
          const V u = load(in.u + t * in.u_stride + e + j * W);
          du[j] = delta[j] * u;
          y[j] = d[j] * u;
        }
        decays_of<N>(delta, a, fastest, decays);
        step_states<T, N>(decays, in.bc + t * in.bc_stride, du, previous, h, y);
        previous = h;
        for (int j = 0; j < 2; ++j) {
          const V z = load(in.z + t * in.z_stride + e + j * W);
          store(out + t * out_stride + e + j * W, y[j] * z * sigmoid(z));
        }
      }
    }
  }
}

}  // namespace train
