// SPDX-License-Identifier: MIT
// The kernels for 64-bit Arm (NEON).
#include "impl/table_impl.hpp"

namespace genomamba::kernels {

template <>
struct impl::LinearTile<xsimd::neon64> {
  static constexpr std::size_t kRows2 = 8;
  static constexpr std::size_t kRows3 = 8;
};

const KernelTable kNeonTable = impl::make_table<xsimd::neon64>("neon");

}  // namespace genomamba::kernels
