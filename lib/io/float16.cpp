// SPDX-License-Identifier: MIT
#include "float16.hpp"

#include <bit>
#include <cmath>

namespace genomamba::io {
namespace {

constexpr std::uint32_t kFloatSign = 0x80000000u;
constexpr std::uint32_t kFloatInfinity = 0x7f800000u;
constexpr int kFloatBias = 127;
constexpr int kHalfBias = 15;
constexpr int kDroppedBits = 13;  // 23 mantissa bits against 10
constexpr std::uint32_t kHalfInfinity = 0x7c00u;
constexpr std::uint32_t kHalfQuietNan = 0x7e00u;
constexpr float kSmallestNormal = 0x1p-14f;
constexpr float kSmallestSubnormal = 0x1p-24f;

}  // namespace

std::uint16_t to_half_bits(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits & kFloatSign) >> 16;
  const std::uint32_t magnitude = bits & ~kFloatSign;
  if (magnitude > kFloatInfinity) return static_cast<std::uint16_t>(sign | kHalfQuietNan);
  if (std::fabs(value) < kSmallestNormal) {
    // Exact scaling, then nearbyint rounds ties to even (the default mode); 1024 is the smallest
    // normal.
    const float steps = std::nearbyint(std::fabs(value) / kSmallestSubnormal);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(steps));
  }
  // Half of the last kept bit, less one unit when that bit is even: a carry runs into the exponent
  // as it should.
  const std::uint32_t last_kept = (magnitude >> kDroppedBits) & 1u;
  const std::uint32_t rounded = magnitude + ((1u << (kDroppedBits - 1)) - 1u) + last_kept;
  constexpr std::uint32_t kRebias = static_cast<std::uint32_t>(kFloatBias - kHalfBias) << 10;
  const std::uint32_t half = (rounded >> kDroppedBits) - kRebias;
  return static_cast<std::uint16_t>(sign | (half < kHalfInfinity ? half : kHalfInfinity));
}

float from_half_bits(std::uint16_t bits) noexcept {
  constexpr std::uint32_t kMantissa = 0x3ffu;
  const std::uint32_t mantissa = bits & kMantissa;
  const std::uint32_t exponent = (bits & kHalfInfinity) >> 10;
  const float sign = (bits & 0x8000u) != 0 ? -1.0f : 1.0f;
  if (exponent == 0) return sign * static_cast<float>(mantissa) * kSmallestSubnormal;
  if (exponent == kHalfInfinity >> 10) return sign * (mantissa == 0 ? INFINITY : NAN);
  const std::uint32_t rebased = exponent + static_cast<std::uint32_t>(kFloatBias - kHalfBias);
  return sign * std::bit_cast<float>((rebased << 23) | (mantissa << kDroppedBits));
}

}  // namespace genomamba::io
