// SPDX-License-Identifier: MIT
// exp, exp2, SiLU and softplus on vectors. Coefficients are minimax fits (Remez, 40 digits) rounded
// to float.
#pragma once

#include <limits>

#include "impl/simd_impl.hpp"

namespace genomamba::kernels::impl {

/// exp2 of the scan, 2^a for a in [kExp2Min, kExp2Max]; any value outside gives garbage (the caller
/// selects it away), NaN gives NaN. 2^a = 2^n (1 + f q(f)), n = round(a), f = a - n: exactly 1 at a
/// = 0, because an error that does not vanish there is compounded at every step of a slow mode.
/// Value error 2.3e-7; error of the decay rate 4.3e-6 + ulp.
template <class Arch>
struct ScanExp2 {
  static Vec<Arch> apply(const Vec<Arch>& a) {
    // Adding 1.5 * 2^23 leaves round(a) in the low mantissa bits.
    const Vec<Arch> magic = splat<Arch>(0x1.8p23F);
    const Vec<Arch> t = a + magic;
    const Vec<Arch> f = a - (t - magic);
    Vec<Arch> q = splat<Arch>(0x1.5d87dep-10F);
    q = xsimd::fma(q, f, splat<Arch>(0x1.3cbe58p-7F));
    q = xsimd::fma(q, f, splat<Arch>(0x1.c6b26ep-5F));
    q = xsimd::fma(q, f, splat<Arch>(0x1.ebfa4ep-3F));
    q = xsimd::fma(q, f, splat<Arch>(0x1.62e42ep-1F));
    const Vec<Arch> p = xsimd::fma(q, f, splat<Arch>(1.0F));
    return from_bits<Arch>(to_bits<Arch>(p) + (to_bits<Arch>(t) << 23));
  }
};

/// Below, exp2 is 0 (denormal results are flushed); above, it is +inf.
inline constexpr float kExp2Min = -126.0F;
inline constexpr float kExp2Max = 127.0F;

/// 2^a for any a. In range the bits are those of ScanExp2: comparisons with NaN are false, so NaN
/// passes through.
template <class Arch>
inline Vec<Arch> exp2_checked(const Vec<Arch>& a) {
  Vec<Arch> e = ScanExp2<Arch>::apply(a);
  e = xsimd::select(a < splat<Arch>(kExp2Min), splat<Arch>(0.0F), e);
  return xsimd::select(a > splat<Arch>(kExp2Max),
                       splat<Arch>(std::numeric_limits<float>::infinity()), e);
}

/// e^x for x in [-87.33654, 88.72283]: x = n ln 2 + f, ln 2 in two parts so that f is exact to an
/// ulp of x.
template <class Arch>
inline Vec<Arch> exp_in_range(const Vec<Arch>& x) {
  const Vec<Arch> magic = splat<Arch>(0x1.8p23F);
  const Vec<Arch> t = xsimd::fma(x, splat<Arch>(0x1.715476p+0F), magic);
  const Vec<Arch> n = t - magic;
  // The high part has 9 trailing zero bits: n * high is exact, with or without a fused multiply.
  Vec<Arch> f = xsimd::fma(n, splat<Arch>(-0x1.62e4p-1F), x);
  f = xsimd::fma(n, splat<Arch>(-0x1.7f7d1cp-20F), f);
  Vec<Arch> r = splat<Arch>(0x1.6a1a72p-10F);
  r = xsimd::fma(r, f, splat<Arch>(0x1.123fc6p-7F));
  r = xsimd::fma(r, f, splat<Arch>(0x1.555916p-5F));
  r = xsimd::fma(r, f, splat<Arch>(0x1.55548ap-3F));
  r = xsimd::fma(r, f, splat<Arch>(0x1.fffffcp-2F));
  const Vec<Arch> p = xsimd::fma(f * f, r, f) + splat<Arch>(1.0F);
  return from_bits<Arch>(to_bits<Arch>(p) + (to_bits<Arch>(t) << 23));
}

inline constexpr float kExpMin = -87.33654F;  // ln(2^-126), rounded up
inline constexpr float kExpMax = 88.72283F;   // ln(FLT_MAX), rounded down

template <class Arch>
inline Vec<Arch> exp(const Vec<Arch>& x) {
  Vec<Arch> e = exp_in_range<Arch>(x);
  e = xsimd::select(x < splat<Arch>(kExpMin), splat<Arch>(0.0F), e);
  return xsimd::select(x > splat<Arch>(kExpMax),
                       splat<Arch>(std::numeric_limits<float>::infinity()), e);
}

/// exp2 of log2(e) x with the argument held in range: for SiLU and softplus, where an absolute
/// error is what counts. Relative error below 2e-6 for |x| <= 20, growing with |x| as the rounding
/// of log2(e) x does.
template <class Arch>
inline Vec<Arch> exp_clamped(const Vec<Arch>& x) {
  // The constant comes first: x86 then returns the second operand, NaN, where the argument is NaN.
  Vec<Arch> a = x * splat<Arch>(0x1.715476p+0F);
  a = xsimd::max(splat<Arch>(kExp2Min), a);
  a = xsimd::min(splat<Arch>(-kExp2Min), a);
  return ScanExp2<Arch>::apply(a);
}

/// x / (1 + e^-x). Far below 0 it is x 2^-126 instead of 0; -inf stays -inf.
template <class Arch>
inline Vec<Arch> silu(const Vec<Arch>& x) {
  return x / (splat<Arch>(1.0F) + exp_clamped<Arch>(-x));
}

/// log(1 + e^x) = max(x, 0) + log1p(e^-|x|), log1p(w) = w + w^2 k(w), k of degree 7 on [0, 1]
/// (error 5e-8); the relative error is that of w. PyTorch's threshold of 20 needs no branch: above
/// 17 the second term is less than half an ulp of the first. k is summed by halves (Estrin): what
/// bounds this function is how many registers its latency holds.
template <class Arch>
inline Vec<Arch> softplus(const Vec<Arch>& x) {
  const Vec<Arch> a =
      xsimd::max(splat<Arch>(kExp2Min), xsimd::abs(x) * splat<Arch>(-0x1.715476p+0F));
  const Vec<Arch> w = ScanExp2<Arch>::apply(a);
  const Vec<Arch> w2 = w * w;
  const Vec<Arch> k01 = xsimd::fma(splat<Arch>(0x1.554886p-2F), w, splat<Arch>(-0x1.fffffcp-2F));
  const Vec<Arch> k23 = xsimd::fma(splat<Arch>(0x1.8c4254p-3F), w, splat<Arch>(-0x1.fe2958p-3F));
  const Vec<Arch> k45 = xsimd::fma(splat<Arch>(0x1.5686ecp-4F), w, splat<Arch>(-0x1.21b810p-3F));
  const Vec<Arch> k67 = xsimd::fma(splat<Arch>(0x1.88dfa6p-8F), w, splat<Arch>(-0x1.0baebap-5F));
  const Vec<Arch> low = xsimd::fma(k23, w2, k01);
  const Vec<Arch> high = xsimd::fma(k67, w2, k45);
  const Vec<Arch> k = xsimd::fma(high, w2 * w2, low);
  // NaN reaches the result through w, whatever max() makes of it.
  return xsimd::max(x, splat<Arch>(0.0F)) + xsimd::fma(w2, k, w);
}

}  // namespace genomamba::kernels::impl
