// SPDX-License-Identifier: MIT
// The scan's exp2 for AVX2: a table of 4 in a register and a cubic, one FMA-pipe operation less
// than a degree-5 polynomial. The one raw intrinsic of this ISA: xsimd has no in-lane permute by a
// run-time index.
#pragma once

#include <immintrin.h>

#include "impl/math_impl.hpp"

namespace genomamba::kernels::impl {

/// 2^a = 2^(n/4) (1 + f q(f)), n = round(4 a), |f| <= 1/8; exactly 1 at 0. Value error 7e-7, decay
/// rate 7.7e-6 + ulp.
template <>
struct ScanExp2<xsimd::fma3<xsimd::avx2>> {
  using Arch = xsimd::fma3<xsimd::avx2>;

  static Vec<Arch> apply(const Vec<Arch>& a) {
    // Adding 1.5 * 2^21 leaves n in the low mantissa bits. n << 21 puts n / 4 into the exponent and
    // n mod 4 into the two top mantissa bits; the table holds bits(2^(j/4)) - (j << 21), so the sum
    // is 2^(n/4).
    const Vec<Arch> magic = splat<Arch>(0x1.8p21F);
    const Vec<Arch> t = a + magic;
    const Vec<Arch> f = a - (t - magic);
    const __m256 table =
        _mm256_castsi256_ps(_mm256_setr_epi32(0x3f800000, 0x3f7837f0, 0x3f7504f3, 0x3f7744fd,
                                              0x3f800000, 0x3f7837f0, 0x3f7504f3, 0x3f7744fd));
    const IntVec<Arch> bits = to_bits<Arch>(t);
    const Vec<Arch> entry = _mm256_permutevar_ps(table, bits);
    const Vec<Arch> s = from_bits<Arch>(to_bits<Arch>(entry) + (bits << 21));
    Vec<Arch> q = splat<Arch>(0x1.c6b08ep-5F);
    q = xsimd::fma(q, f, splat<Arch>(0x1.ec36f8p-3F));
    q = xsimd::fma(q, f, splat<Arch>(0x1.62e434p-1F));
    return xsimd::fma(s * f, q, s);
  }
};

}  // namespace genomamba::kernels::impl
