// SPDX-License-Identifier: MIT
// The Mamba-2 recurrence: vectors over the channels of a head, kSsdSteps steps per visit of the
// state.
//
// Three multiply-adds an element and step, no exponential: the state (headdim x d_state, 32 KB for
// 64 x 128) would be read and written once a step. Kept in a register for kSsdSteps steps, it is
// touched that many times less. The chunked matrix form saves a fifth of the arithmetic at best,
// and its sums depend on where a chunk begins; this one's do not.
#pragma once

#include "impl/math_impl.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels::impl {

inline constexpr std::size_t kSsdSteps = 4;
inline constexpr std::size_t kSsdBlock = 16;  ///< steps whose dt and decay are computed together
inline constexpr std::size_t kSsdHeads = 32;  ///< heads of one such table

template <class Arch>
struct SsdScratch {
  alignas(64) float dt[kSsdBlock * kSsdHeads];
  alignas(64) float decay[kSsdBlock * kSsdHeads];
};

/// dt (bias, softplus, limits) and exp(dt A) of steps [t0, t0 + rows) and heads [h0, h0 + n).
template <class Arch>
inline void ssd_decays(const SsdCall& call, std::size_t t0, std::size_t rows, std::size_t h0,
                       std::size_t n, SsdScratch<Arch>& scratch) {
  for (std::size_t t = 0; t < rows; ++t) {
    const float* row = call.dt + static_cast<std::ptrdiff_t>(t0 + t) * call.dt_stride + h0;
    for (std::size_t h = 0; h < n; h += kLanes<Arch>) {
      const std::size_t left = n - h < kLanes<Arch> ? n - h : kLanes<Arch>;
      Vec<Arch> dt = load_first<Arch>(row + h, left);
      if (call.dt_bias != nullptr) dt = dt + load_first<Arch>(call.dt_bias + h0 + h, left);
      if (call.dt_softplus) dt = softplus<Arch>(dt);
      dt = xsimd::select(dt < splat<Arch>(call.dt_min), splat<Arch>(call.dt_min), dt);
      dt = xsimd::select(dt > splat<Arch>(call.dt_max), splat<Arch>(call.dt_max), dt);
      const Vec<Arch> a =
          dt * (load_first<Arch>(call.A + h0 + h, left) * splat<Arch>(0x1.715476p+0F));
      store<Arch>(scratch.dt + t * kSsdHeads + h, dt);
      store<Arch>(scratch.decay + t * kSsdHeads + h, exp2_checked<Arch>(a));
    }
  }
}

/// kSteps steps from t for one vector of channels: S = decay S + (dt x) B, y = sum_n C S. `at` and
/// `put` move a whole vector or a padded tail; dt, decay: of the head, a row of the table apart.
template <class Arch, std::size_t kSteps, class Load, class Store>
inline void ssd_steps(const SsdCall& call, std::size_t t, std::size_t h, std::size_t p,
                      const float* dt, const float* decay, Load at, Store put) {
  const std::size_t group_at = h / call.heads_per_group * call.d_state;
  const std::size_t channel = h * call.headdim + p;
  float* S = call.state + (h - call.head_begin) * call.d_state * call.headdim + p;
  const float* B[kSteps];
  const float* C[kSteps];
  Vec<Arch> dt_x[kSteps];
  Vec<Arch> a[kSteps];
  Vec<Arch> y[kSteps];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kSteps; ++i) {
    const auto row = static_cast<std::ptrdiff_t>(t + i);
    B[i] = call.B + row * call.B_stride + group_at;
    C[i] = call.C + row * call.C_stride + group_at;
    dt_x[i] = splat<Arch>(dt[i * kSsdHeads]) * at(call.x + row * call.x_stride + channel);
    a[i] = splat<Arch>(decay[i * kSsdHeads]);
    y[i] = splat<Arch>(0.0F);
  }
  const std::size_t d_state = call.d_state;
  const std::size_t headdim = call.headdim;
  for (std::size_t n = 0; n < d_state; ++n) {
    Vec<Arch> s = at(S);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kSteps; ++i) {
      s = xsimd::fma(a[i], s, dt_x[i] * splat<Arch>(B[i][n]));
      y[i] = xsimd::fma(s, splat<Arch>(C[i][n]), y[i]);
    }
    put(S, s);
    S += headdim;
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kSteps; ++i) {
    const auto row = static_cast<std::ptrdiff_t>(t + i);
    Vec<Arch> result = y[i];
    if (call.D != nullptr) {
      const Vec<Arch> D = call.D_has_hdim ? at(call.D + channel) : splat<Arch>(call.D[h]);
      result = xsimd::fma(D, at(call.x + row * call.x_stride + channel), result);
    }
    if (call.z != nullptr) result = result * silu<Arch>(at(call.z + row * call.z_stride + channel));
    float* out = call.out + row * call.out_stride + channel;
    put(out, call.accumulate ? at(out) + result : result);
  }
}

/// Steps [t0, t0 + rows) of one vector of channels.
template <class Arch, class Load, class Store>
inline void ssd_vector(const SsdCall& call, std::size_t t0, std::size_t rows, std::size_t h,
                       std::size_t p, const float* dt, const float* decay, Load at, Store put) {
  std::size_t t = 0;
  for (; t + kSsdSteps <= rows; t += kSsdSteps) {
    ssd_steps<Arch, kSsdSteps>(call, t0 + t, h, p, dt + t * kSsdHeads, decay + t * kSsdHeads, at,
                               put);
  }
  for (; t < rows; ++t) {
    ssd_steps<Arch, 1>(call, t0 + t, h, p, dt + t * kSsdHeads, decay + t * kSsdHeads, at, put);
  }
}

template <class Arch>
void ssd_scan_kernel(const SsdCall& call) noexcept {
  constexpr std::size_t kWidth = kLanes<Arch>;
  SsdScratch<Arch> scratch;
  const std::size_t n_whole = call.headdim / kWidth * kWidth;
  const std::size_t n_tail = call.headdim - n_whole;
  for (std::size_t h0 = call.head_begin; h0 < call.head_end; h0 += kSsdHeads) {
    const std::size_t n = call.head_end - h0 < kSsdHeads ? call.head_end - h0 : kSsdHeads;
    for (std::size_t t0 = 0; t0 < call.seqlen; t0 += kSsdBlock) {
      const std::size_t rows = call.seqlen - t0 < kSsdBlock ? call.seqlen - t0 : kSsdBlock;
      ssd_decays<Arch>(call, t0, rows, h0, n, scratch);
      for (std::size_t h = 0; h < n; ++h) {
        const float* dt = scratch.dt + h;
        const float* decay = scratch.decay + h;
        for (std::size_t p = 0; p < n_whole; p += kWidth) {
          ssd_vector<Arch>(
              call, t0, rows, h0 + h, p, dt, decay, [](const float* q) { return load<Arch>(q); },
              [](float* q, const Vec<Arch>& v) { store<Arch>(q, v); });
        }
        if (n_tail > 0) {
          ssd_vector<Arch>(
              call, t0, rows, h0 + h, n_whole, dt, decay,
              [n_tail](const float* q) { return load_first<Arch>(q, n_tail); },
              [n_tail](float* q, const Vec<Arch>& v) { store_first<Arch>(q, v, n_tail); });
        }
      }
    }
  }
}

}  // namespace genomamba::kernels::impl
