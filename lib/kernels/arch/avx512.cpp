// SPDX-License-Identifier: MIT
// The kernels for AVX-512 (F, CD, DQ, BW).
#include "impl/table_impl.hpp"

namespace genomamba::kernels {

template <>
struct impl::LinearTile<xsimd::avx512bw> {
  static constexpr std::size_t kRows2 = 12;
  static constexpr std::size_t kRows3 = 8;
};

const KernelTable kAvx512Table = impl::make_table<xsimd::avx512bw>("avx512");

}  // namespace genomamba::kernels
