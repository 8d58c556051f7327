// SPDX-License-Identifier: MIT
// Vectors of 32 bytes for float and double, with the few elementary functions the training kernels
// need.
#pragma once

#include <immintrin.h>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace train {

template <class T>
struct Simd;

template <>
struct Simd<float> {
  typedef float V __attribute__((vector_size(32)));
  typedef float Unaligned __attribute__((vector_size(32), aligned(4), may_alias));
  typedef std::int32_t Int __attribute__((vector_size(32)));
  static constexpr int kWidth = 8;
  // exp(delta * A) is computed as exp2(delta * A2) with A2 = A * log2(e): one multiplication less
  // per state.
  static constexpr float kDecayScale = 1.4426950408889634f;
  static constexpr float kDecayUnscale = 0.6931471805599453f;
};

template <>
struct Simd<double> {
  typedef double V __attribute__((vector_size(32)));
  typedef double Unaligned __attribute__((vector_size(32), aligned(8), may_alias));
  static constexpr int kWidth = 4;
  static constexpr double kDecayScale = 1.0;
  static constexpr double kDecayUnscale = 1.0;
};

using Vf = Simd<float>::V;
using Vd = Simd<double>::V;

template <class T>
inline typename Simd<T>::V load(const T* p) {
  return *reinterpret_cast<const typename Simd<T>::Unaligned*>(p);
}

template <class T>
inline void store(T* p, typename Simd<T>::V v) {
  *reinterpret_cast<typename Simd<T>::Unaligned*>(p) = v;
}

inline Simd<float>::V broadcast(float x) {
  return _mm256_set1_ps(x);
}
inline Simd<double>::V broadcast(double x) {
  return _mm256_set1_pd(x);
}

template <class T>
inline T sum_lanes(typename Simd<T>::V v) {
  T total = 0;
  for (int i = 0; i < Simd<T>::kWidth; ++i)
    total += v[i];
  return total;
}

// Minimax 2^f = 1 + f*q(f) on [-1/2, 1/2], highest power first: relative error of the decay
// rate 4.3e-7.
constexpr float kExp2[6] = {0.001333351873f, 0.009666245352f, 0.055505002633f,
                            0.240223513445f, 0.693147143491f, 1.0f};

// 2^a for a <= 0 (clamped at -126). Exactly 1 at 0, so that slow modes keep their decay rate.
inline Vf exp2_decay(Vf a) {
  a = _mm256_max_ps(a, broadcast(-126.0f));
  constexpr float kMagic =
      12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer in the low bits
  const Vf shifted = a + kMagic;
  const Vf f = a - (shifted - kMagic);
  Vf q = f * kExp2[0] + kExp2[1];
  for (int k = 2; k < 5; ++k)
    q = q * f + kExp2[k];
  const Vf p = q * f + kExp2[5];
  const auto exponent = reinterpret_cast<Simd<float>::Int>(shifted) << 23;
  return reinterpret_cast<Vf>(reinterpret_cast<Simd<float>::Int>(p) + exponent);
}

// Keeps four independent chains side by side in the instruction stream: one exponential is 40
// cycles of latency, and the compiler would otherwise emit chain after chain, more than the
// scheduler of the processor can hold.
#define TRAIN_SIDE_BY_SIDE(v) asm("" : "+x"((v)[0]), "+x"((v)[1]), "+x"((v)[2]), "+x"((v)[3]))

// out[n, j] = exp(delta[j] * A[j, n]) for the N states of two channel vectors; scaled_a [2, N, W]
// is A * kDecayScale and `fastest` [2, W] its smallest (most negative) value of each channel.
template <int N>
inline void decays_of(const Vf delta[2], const float* scaled_a, const Vf fastest[2], float* out) {
  constexpr float kMagic = 12582912.0f;
  const Vf lowest = _mm256_min_ps(delta[0] * fastest[0], delta[1] * fastest[1]);
  const bool clamp = _mm256_movemask_ps(_mm256_cmp_ps(lowest, broadcast(-126.0f), _CMP_LT_OQ)) != 0;
  if (clamp) {
    for (int n = 0; n < N; ++n)
      for (int j = 0; j < 2; ++j)
        store(out + (2 * n + j) * 8, exp2_decay(delta[j] * load(scaled_a + (j * N + n) * 8)));
    return;
  }
  const Vf magic = broadcast(kMagic);
#pragma GCC unroll 1
  for (int n = 0; n < N; n += 2) {
    Vf f[4], shifted[4], q[4];
    for (int i = 0; i < 4; ++i)
      f[i] = load(scaled_a + ((i & 1) * N + n + (i >> 1)) * 8);
    for (int i = 0; i < 4; ++i)
      shifted[i] = _mm256_fmadd_ps(f[i], delta[i & 1], magic);
    TRAIN_SIDE_BY_SIDE(shifted);
    for (int i = 0; i < 4; ++i)
      q[i] = shifted[i] - magic;
    TRAIN_SIDE_BY_SIDE(q);
    for (int i = 0; i < 4; ++i)
      f[i] = _mm256_fmsub_ps(f[i], delta[i & 1], q[i]);
    TRAIN_SIDE_BY_SIDE(f);
    for (int i = 0; i < 4; ++i)
      q[i] = f[i] * kExp2[0] + kExp2[1];
    TRAIN_SIDE_BY_SIDE(q);
    for (int k = 2; k < 6; ++k) {
      for (int i = 0; i < 4; ++i)
        q[i] = q[i] * f[i] + kExp2[k];
      TRAIN_SIDE_BY_SIDE(q);
    }
    for (int i = 0; i < 4; ++i)
      store(out + (2 * n + i) * 8,
            reinterpret_cast<Vf>(reinterpret_cast<Simd<float>::Int>(q[i]) +
                                 (reinterpret_cast<Simd<float>::Int>(shifted[i]) << 23)));
  }
}

template <int N>
inline void decays_of(const Vd delta[2], const double* scaled_a, const Vd*, double* out) {
  for (int n = 0; n < N; ++n)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 4; ++i)
        out[(2 * n + j) * 4 + i] = std::exp(delta[j][i] * scaled_a[(j * N + n) * 4 + i]);
}

// exp(x) for x <= 0.
inline Vf exp_nonpositive(Vf x) {
  return exp2_decay(x * 1.4426950408889634f);
}
inline Vd exp_nonpositive(Vd x) {
  for (int i = 0; i < 4; ++i)
    x[i] = std::exp(x[i]);
  return x;
}

inline Vf magnitude(Vf x) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
}
inline Vd magnitude(Vd x) {
  return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}
inline Vf maximum(Vf x, Vf y) {
  return _mm256_max_ps(x, y);
}
inline Vd maximum(Vd x, Vd y) {
  return _mm256_max_pd(x, y);
}

// sigmoid(x) from e = exp(-|x|): 1/(1+e) for x >= 0, e/(1+e) below.
template <class V>
inline V sigmoid_from(V x, V e) {
  return (x >= 0 ? V{} + 1 : e) / (1 + e);
}
template <class V>
inline V sigmoid(V x) {
  return sigmoid_from(x, exp_nonpositive(-magnitude(x)));
}

// log(1 + e) for e in [0, 1], as 2 atanh(e / (2 + e)); relative accuracy is kept for small e.
inline Vf log1p_unit(Vf e) {
  const Vf s = e / (2 + e);
  const Vf s2 = s * s;
  Vf q = broadcast(1.0f / 13);
  q = q * s2 + 1.0f / 11;
  q = q * s2 + 1.0f / 9;
  q = q * s2 + 1.0f / 7;
  q = q * s2 + 1.0f / 5;
  q = q * s2 + 1.0f / 3;
  q = q * s2 + 1.0f;
  return 2 * s * q;
}
inline Vd log1p_unit(Vd e) {
  for (int i = 0; i < 4; ++i)
    e[i] = std::log1p(e[i]);
  return e;
}

// Decayed states become denormal numbers, which are slow: flush them to zero while a kernel runs.
class FlushDenormals {
 public:
  FlushDenormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | 0x8040); }
  ~FlushDenormals() { _mm_setcsr(saved_); }

 private:
  unsigned saved_;
};

}  // namespace train
