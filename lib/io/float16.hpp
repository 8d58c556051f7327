// SPDX-License-Identifier: MIT
// IEEE 754 half precision, for writing. Private to io.
#pragma once

#include <cstdint>

namespace genomamba::io {

/// Bits of the nearest half (ties to even). Values beyond 65504 become infinity, NaN stays NaN.
std::uint16_t to_half_bits(float value) noexcept;
/// The float with the value of these half bits; exact.
float from_half_bits(std::uint16_t bits) noexcept;

}  // namespace genomamba::io
