// SPDX-License-Identifier: MIT
// MXCSR on x86-64, FPCR on 64-bit Arm.
#include "genomamba/kernels/flush_denormals.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace genomamba::kernels {
namespace {

#if defined(__x86_64__)
constexpr std::uint64_t kFlushBits = 0x8040;  // FTZ (bit 15) and DAZ (bit 6)
std::uint64_t read_control() noexcept {
  return _mm_getcsr();
}
void write_control(std::uint64_t value) noexcept {
  _mm_setcsr(static_cast<unsigned>(value));
}
#elif defined(__aarch64__)
constexpr std::uint64_t kFlushBits = std::uint64_t{1} << 24;  // FZ
std::uint64_t read_control() noexcept {
  std::uint64_t value = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
void write_control(std::uint64_t value) noexcept {
  __asm__ volatile("msr fpcr, %0" : : "r"(value));
}
#else
constexpr std::uint64_t kFlushBits = 0;
std::uint64_t read_control() noexcept {
  return 0;
}
void write_control(std::uint64_t) noexcept {}
#endif

}  // namespace

FlushDenormals::FlushDenormals() noexcept : saved_(read_control()) {
  write_control(saved_ | kFlushBits);
}

FlushDenormals::~FlushDenormals() {
  // Only the flush bits go back: exception flags raised meanwhile stay.
  write_control((read_control() & ~kFlushBits) | (saved_ & kFlushBits));
}

}  // namespace genomamba::kernels
