// SPDX-License-Identifier: MIT
// FlushDenormals: subnormal results and inputs count as zero while it lives.
#pragma once

#include <cstdint>

namespace genomamba::kernels {

/// Sets FTZ and DAZ (x86) or FZ (Arm) for the calling thread and restores what was set before.
/// Whoever runs threads keeps one in each: states of the scan decay into subnormals, which cost a
/// hundred cycles each. Does nothing on other CPUs.
class FlushDenormals {
 public:
  FlushDenormals() noexcept;
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  std::uint64_t saved_;
};

}  // namespace genomamba::kernels
