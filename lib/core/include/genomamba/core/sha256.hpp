// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4): the identity of weights and inputs. Not for anything secret.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace genomamba {

/// Takes bytes in pieces. One use: update..., then hex_digest once.
class Sha256 {
 public:
  void update(std::span<const std::byte> bytes);
  /// 64 lower-case hex digits.
  std::string hex_digest();

 private:
  static constexpr std::size_t kBlockBytes = 64;
  void process(const std::byte* block);

  std::array<std::uint32_t, 8> h_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, kBlockBytes> pending_{};
  std::size_t n_pending_ = 0;
  std::uint64_t n_bytes_ = 0;
};

}  // namespace genomamba
