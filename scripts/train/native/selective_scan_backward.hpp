// SPDX-License-Identifier: MIT
// Backward pass of the selective scan: chunks from last to first; within a chunk the decays and
// states are recomputed from the stored state at its start, then time runs backwards.
#pragma once

#include "selective_scan.hpp"

namespace train {

// Scratch of one strip (2 vectors of channels) over one chunk.
template <class T, int N>
struct ScanTape {
  static constexpr int W = Simd<T>::kWidth;
  T* decays;  // [kChunk, N, 2, W]
  T* states;  // [kChunk, N, 2, W], after the step
  T* delta;   // [kChunk, 2, W]
  T* slope;   // [kChunk, 2, W], d delta / d raw
  T* y;       // [kChunk, 2, W], before the gate
};

template <class T, int N>
void recompute_chunk(const ScanInputs<T>& in, std::int64_t begin, std::int64_t end, std::int64_t e,
                     const T* before, const ScanTape<T, N>& tape) {
  using V = typename Simd<T>::V;
  constexpr int W = Simd<T>::kWidth;
  const T* a = in.a + e * N;
  const T* previous = before;
  V fastest[2], bias[2], d[2];
  fastest_of<V, N>(a, fastest);
  for (int j = 0; j < 2; ++j) {
    bias[j] = load(in.delta_bias + e + j * W);
    d[j] = load(in.d + e + j * W);
  }
  const NextLine next(e, 2 * W, in.d_inner, -kChunk);
  for (std::int64_t t = begin; t < end; ++t) {
    const std::int64_t i = t - begin;
    next.fetch(in.delta_raw + t * in.delta_stride + e, in.delta_stride);
    next.fetch(in.u + t * in.u_stride + e, in.u_stride);
    V delta[2], du[2], y[2];
    for (int j = 0; j < 2; ++j) {
      V slope;
      softplus_with_slope(load(in.delta_raw + t * in.delta_stride + e + j * W) + bias[j], delta[j],
                          slope);
      store(tape.delta + (i * 2 + j) * W, delta[j]);
      store(tape.slope + (i * 2 + j) * W, slope);
      const V u = load(in.u + t * in.u_stride + e + j * W);
      du[j] = delta[j] * u;
      y[j] = d[j] * u;
    }
    T* decays = tape.decays + i * N * 2 * W;
    T* states = tape.states + i * N * 2 * W;
    decays_of<N>(delta, a, fastest, decays);
    step_states<T, N>(decays, in.bc + t * in.bc_stride, du, previous, states, y);
    previous = states;
    store(tape.y + (i * 2) * W, y[0]);
    store(tape.y + (i * 2 + 1) * W, y[1]);
  }
}

// `dh` [2, N, W] carries d loss / d h[t] from the future; `bc_lanes` [kChunk, 2N, W] collects dB
// and dC by lane.
template <class T, int N>
void backward_chunk(const ScanInputs<T>& in, const ScanGradients<T>& grad, std::int64_t begin,
                    std::int64_t end, std::int64_t e, const T* before, const ScanTape<T, N>& tape,
                    T* dh, T* bc_lanes) {
  using V = typename Simd<T>::V;
  constexpr int W = Simd<T>::kWidth;
  const T* a = in.a + e * N;
  T* da = grad.da + e * N;
  V dd[2] = {}, dbias[2] = {};
  const NextLine next(e, 2 * W, in.d_inner, -kChunk);
  for (std::int64_t t = end - 1; t >= begin; --t) {
    const std::int64_t i = t - begin;
    next.fetch(grad.dout + t * grad.dout_stride + e, grad.dout_stride);
    next.fetch(in.z + t * in.z_stride + e, in.z_stride);
    next.fetch_to_write(grad.dz + t * grad.dz_stride + e, grad.dz_stride);
    next.fetch_to_write(grad.du + t * grad.du_stride + e, grad.du_stride);
    next.fetch_to_write(grad.ddelta_raw + t * grad.ddelta_stride + e, grad.ddelta_stride);
    const T* bc = in.bc + t * in.bc_stride;
    V dy[2], u[2], delta[2], du[2], ddu[2] = {}, ddelta[2] = {};
    for (int j = 0; j < 2; ++j) {
      const V dout = load(grad.dout + t * grad.dout_stride + e + j * W);
      const V z = load(in.z + t * in.z_stride + e + j * W);
      const V gate = sigmoid(z);
      dy[j] = dout * z * gate;
      const V y = load(tape.y + (i * 2 + j) * W);
      store(grad.dz + t * grad.dz_stride + e + j * W, dout * y * gate * (1 + z * (1 - gate)));
      u[j] = load(in.u + t * in.u_stride + e + j * W);
      delta[j] = load(tape.delta + (i * 2 + j) * W);
      du[j] = delta[j] * u[j];
      dd[j] += dy[j] * u[j];
    }
    const T* decays = tape.decays + i * N * 2 * W;
    const T* states = tape.states + i * N * 2 * W;
    const T* previous = i == 0 ? before : states - N * 2 * W;
    T* lanes = bc_lanes + i * 2 * N * W;
#pragma GCC unroll 16
    for (int n = 0; n < N; ++n) {
      const V b = broadcast(bc[n]), c = broadcast(bc[N + n]);
      const V g0 = load(dh + n * W) + dy[0] * c;
      const V g1 = load(dh + (N + n) * W) + dy[1] * c;
      store(lanes + n * W, load(lanes + n * W) + g0 * du[0] + g1 * du[1]);
      store(lanes + (N + n) * W, load(lanes + (N + n) * W) + dy[0] * load(states + n * 2 * W) +
                                     dy[1] * load(states + (n * 2 + 1) * W));
      ddu[0] += g0 * b;
      ddu[1] += g1 * b;
      const V back0 = g0 * load(decays + n * 2 * W);
      const V back1 = g1 * load(decays + (n * 2 + 1) * W);
      store(dh + n * W, back0);
      store(dh + (N + n) * W, back1);
      const V q0 = back0 * load(previous + n * 2 * W);
      const V q1 = back1 * load(previous + (n * 2 + 1) * W);
      ddelta[0] += q0 * load(a + n * W);
      ddelta[1] += q1 * load(a + (N + n) * W);
      store(da + n * W, load(da + n * W) + q0 * delta[0]);
      store(da + (N + n) * W, load(da + (N + n) * W) + q1 * delta[1]);
    }
    for (int j = 0; j < 2; ++j) {
      const V slope = load(tape.slope + (i * 2 + j) * W);
      const V draw = (ddelta[j] * Simd<T>::kDecayUnscale + ddu[j] * u[j]) * slope;
      store(grad.ddelta_raw + t * grad.ddelta_stride + e + j * W, draw);
      dbias[j] += draw;
      store(grad.du + t * grad.du_stride + e + j * W,
            ddu[j] * delta[j] + dy[j] * load(in.d + e + j * W));
    }
  }
  for (int j = 0; j < 2; ++j) {
    store(grad.dd + e + j * W, load(grad.dd + e + j * W) + dd[j]);
    store(grad.ddelta_bias + e + j * W, load(grad.ddelta_bias + e + j * W) + dbias[j]);
  }
}

template <class T, int N>
void scan_backward(const ScanInputs<T>& in, const ScanGradients<T>& grad) {
  constexpr int W = Simd<T>::kWidth;
  const std::int64_t state_size = in.d_inner * N;
  const std::int64_t n_chunks = (in.seqlen + kChunk - 1) / kChunk;
  T* next = grad.scratch;
  const auto take = [&next](std::int64_t n) {
    T* p = next;
    next += n;
    return p;
  };
  ScanTape<T, N> tape{};
  tape.decays = take(kChunk * N * 2 * W);
  tape.states = take(kChunk * N * 2 * W);
  tape.delta = take(kChunk * 2 * W);
  tape.slope = take(kChunk * 2 * W);
  tape.y = take(kChunk * 2 * W);
  T* bc_lanes = take(kChunk * 2 * N * W);
  T* dh = take(state_size);
  std::fill(dh, dh + state_size, T(0));
  for (std::int64_t chunk = n_chunks - 1; chunk >= 0; --chunk) {
    const std::int64_t begin = chunk * kChunk;
    const std::int64_t end = std::min(begin + kChunk, in.seqlen);
    std::fill(bc_lanes, bc_lanes + kChunk * 2 * N * W, T(0));
    for (std::int64_t e = 0; e < in.d_inner; e += 2 * W) {
      const T* before = in.states + chunk * state_size + e * N;
      recompute_chunk<T, N>(in, begin, end, e, before, tape);
      backward_chunk<T, N>(in, grad, begin, end, e, before, tape, dh + e * N, bc_lanes);
    }
    for (std::int64_t t = begin; t < end; ++t) {
      const T* lanes = bc_lanes + (t - begin) * 2 * N * W;
      for (int n = 0; n < 2 * N; ++n)
        grad.dbc[t * grad.dbc_stride + n] = sum_lanes<T>(load(lanes + n * W));
    }
  }
}

}  // namespace train
