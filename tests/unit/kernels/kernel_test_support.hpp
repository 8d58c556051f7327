// SPDX-License-Identifier: MIT
// What the kernel tests share: the ISAs to run, reproducible random numbers, comparisons.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "genomamba/kernels/isa.hpp"

namespace genomamba::kernels::test {

/// Selects an ISA and puts the former one back.
class UseIsa {
 public:
  explicit UseIsa(Isa isa) : former_(active_isa()) { select_isa(isa); }
  ~UseIsa() { select_isa(former_); }
  UseIsa(const UseIsa&) = delete;
  UseIsa& operator=(const UseIsa&) = delete;

 private:
  Isa former_;
};

/// Every ISA this machine can run, `ref` included.
inline std::vector<Isa> supported_isas() {
  std::vector<Isa> isas;
  for (const Isa isa : built_isas()) {
    if (is_supported(isa)) isas.push_back(isa);
  }
  return isas;
}

/// Those to be compared with `ref`.
inline std::vector<Isa> simd_isas() {
  std::vector<Isa> isas = supported_isas();
  isas.erase(std::remove(isas.begin(), isas.end(), Isa::kRef), isas.end());
  return isas;
}

/// splitmix64: the same numbers on every platform.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  float uniform(float low, float high) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    z ^= z >> 31U;
    return low + (high - low) * static_cast<float>(z >> 40U) * 0x1p-24F;
  }
  std::vector<float> vector(std::size_t n, float low = -1.0F, float high = 1.0F) {
    std::vector<float> values(n);
    for (float& value : values)
      value = uniform(low, high);
    return values;
  }

 private:
  std::uint64_t state_;
};

/// Largest |a - b| / (1 + |b|); infinity if exactly one of a pair is NaN or they differ in an
/// infinity.
inline double max_error(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = a.size() == b.size() ? 0.0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double x = static_cast<double>(a[i]);
    const double y = static_cast<double>(b[i]);
    if (std::isnan(x) && std::isnan(y)) continue;
    if (x == y) continue;
    const double error = std::fabs(x - y) / (1.0 + std::fabs(y));
    worst = std::max(worst, std::isfinite(error) ? error : static_cast<double>(INFINITY));
  }
  return worst;
}

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace genomamba::kernels::test
