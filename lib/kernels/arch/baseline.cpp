// SPDX-License-Identifier: MIT
// The kernels for every x86-64 CPU (SSE2).
#include "impl/table_impl.hpp"

namespace genomamba::kernels {

const KernelTable kBaselineTable = impl::make_table<xsimd::sse2>("baseline");

}  // namespace genomamba::kernels
