// SPDX-License-Identifier: MIT
// InitRng: random numbers that are the same on every platform (std distributions are not).
#pragma once

#include <cstdint>
#include <string_view>

namespace genomamba::model {

/// SplitMix64, seeded by a number and a name, so that each tensor has its own stream whatever the
/// order.
class InitRng {
 public:
  InitRng(std::uint64_t seed, std::string_view name) : state_(seed) {
    std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
    for (const char c : name)
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    state_ ^= hash;
  }

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  /// In [low, high), 53 random bits.
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }

  /// Mean 0, variance 1: the sum of twelve uniform numbers (Irwin and Hall), which needs no
  /// logarithm.
  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i)
      sum += uniform(0.0, 1.0);
    return sum;
  }

 private:
  std::uint64_t state_;
};

}  // namespace genomamba::model
