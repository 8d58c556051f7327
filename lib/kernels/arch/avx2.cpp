// SPDX-License-Identifier: MIT
// The kernels for AVX2 with FMA3.
#include "impl/scan_exp2_avx2_impl.hpp"
#include "impl/table_impl.hpp"

namespace genomamba::kernels {

const KernelTable kAvx2Table = impl::make_table<xsimd::fma3<xsimd::avx2>>("avx2");

}  // namespace genomamba::kernels
