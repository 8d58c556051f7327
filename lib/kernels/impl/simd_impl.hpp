// SPDX-License-Identifier: MIT
// The few vector operations that xsimd spells differently from version to version, and padded
// tails.
//
// Everything is a template on Arch: the mangled name then carries the ISA, and no two arch objects
// share a symbol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace genomamba::kernels::impl {

template <class Arch>
using Vec = xsimd::batch<float, Arch>;
template <class Arch>
using IntVec = xsimd::batch<std::int32_t, Arch>;

template <class Arch>
inline constexpr std::size_t kLanes = Vec<Arch>::size;

template <class Arch>
inline Vec<Arch> load(const float* p) {
  return Vec<Arch>::load_unaligned(p);
}

template <class Arch>
inline void store(float* p, const Vec<Arch>& x) {
  x.store_unaligned(p);
}

template <class Arch>
inline Vec<Arch> splat(float x) {
  return Vec<Arch>::broadcast(x);
}

/// The first n < kLanes floats of p, then zeros: a tail goes through the same arithmetic as a full
/// vector.
template <class Arch>
inline Vec<Arch> load_first(const float* p, std::size_t n) {
  alignas(64) float padded[kLanes<Arch>] = {};
  for (std::size_t i = 0; i < n; ++i)
    padded[i] = p[i];
  return load<Arch>(padded);
}

template <class Arch>
inline void store_first(float* p, const Vec<Arch>& x, std::size_t n) {
  alignas(64) float padded[kLanes<Arch>];
  store<Arch>(padded, x);
  for (std::size_t i = 0; i < n; ++i)
    p[i] = padded[i];
}

/// Bits of x; `bitwise_cast` takes the element type since xsimd 11, the batch type before.
template <class Arch>
inline IntVec<Arch> to_bits(const Vec<Arch>& x) {
#if XSIMD_VERSION_MAJOR >= 11
  return xsimd::bitwise_cast<std::int32_t>(x);
#else
  return xsimd::bitwise_cast<IntVec<Arch>>(x);
#endif
}

template <class Arch>
inline Vec<Arch> from_bits(const IntVec<Arch>& x) {
#if XSIMD_VERSION_MAJOR >= 11
  return xsimd::bitwise_cast<float>(x);
#else
  return xsimd::bitwise_cast<Vec<Arch>>(x);
#endif
}

/// Sum of all lanes, halves first: one order for every xsimd version (its own is `hadd` or
/// `reduce_add`).
template <class Arch>
inline float sum_lanes(const Vec<Arch>& x) {
  alignas(64) float lane[kLanes<Arch>];
  store<Arch>(lane, x);
  for (std::size_t width = kLanes<Arch> / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i)
      lane[i] += lane[i + width];
  }
  return lane[0];
}

}  // namespace genomamba::kernels::impl
