// SPDX-License-Identifier: MIT
#include "float16.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "catch.hpp"

namespace genomamba::io {
namespace {

TEST_CASE("every half survives the way to float and back") {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = from_half_bits(half);
    if (std::isnan(value)) {
      CHECK(std::isnan(from_half_bits(to_half_bits(value))));
    } else if (to_half_bits(value) != half) {
      FAIL("bits " << bits);
    }
  }
}

TEST_CASE("floats between two halves go to the nearer, ties to the even one") {
  for (std::uint32_t bits = 0; bits < 0x7bffu; ++bits) {
    const float low = from_half_bits(static_cast<std::uint16_t>(bits));
    const float high = from_half_bits(static_cast<std::uint16_t>(bits + 1));
    const float middle = (low + high) / 2;  // exact: a float has more bits
    const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    const bool is_right =
        to_half_bits(middle) == even && to_half_bits(-middle) == (even | 0x8000u) &&
        to_half_bits(std::nextafter(middle, 0.0f)) == bits &&
        to_half_bits(std::nextafter(middle, std::numeric_limits<float>::infinity())) == bits + 1;
    if (!is_right) FAIL("bits " << bits);
  }
}

TEST_CASE("the ends of the range") {
  constexpr std::uint16_t kInfinity = 0x7c00;
  CHECK(to_half_bits(65504.0f) == 0x7bff);
  CHECK(to_half_bits(65519.996f) == 0x7bff);
  CHECK(to_half_bits(65520.0f) == kInfinity);
  CHECK(to_half_bits(std::numeric_limits<float>::max()) == kInfinity);
  CHECK(to_half_bits(-std::numeric_limits<float>::infinity()) == (kInfinity | 0x8000));
  CHECK(to_half_bits(0x1p-25f) == 0);
  CHECK(to_half_bits(std::nextafter(0x1p-25f, 1.0f)) == 1);
  CHECK(to_half_bits(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(to_half_bits(-0.0f) == 0x8000);
  CHECK(std::isnan(from_half_bits(to_half_bits(std::nanf("")))));
}

}  // namespace
}  // namespace genomamba::io
