// SPDX-License-Identifier: MIT
// make_table: the table of all kernels for one xsimd Arch. Included by arch/*.cpp only.
#pragma once

#include "impl/activations_impl.hpp"
#include "impl/causal_conv1d_impl.hpp"
#include "impl/linear_impl.hpp"
#include "impl/norm_impl.hpp"
#include "impl/peak_impl.hpp"
#include "impl/selective_scan_impl.hpp"
#include "impl/ssd_scan_impl.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels::impl {

template <class Arch>
constexpr KernelTable make_table(const char* name) {
  static_assert(kScanStrip % (2 * kLanes<Arch>) == 0);
  return {
      .name = name,
      .lanes = kLanes<Arch>,
      .scan_group = 2 * kLanes<Arch>,
      .scan_A_scale = 0x1.715476p+0F,
      .selective_scan = selective_scan_kernel<Arch>,
      .ssd_scan = ssd_scan_kernel<Arch>,
      .causal_conv1d_silu = causal_conv1d_silu_kernel<Arch>,
      .linear = linear_kernel<Arch>,
      .rms_norm = rms_norm_kernel<Arch>,
      .rms_scale = rms_scale_kernel<Arch>,
      .layer_norm = layer_norm_kernel<Arch>,
      .rms_norm_gated = rms_norm_gated_kernel<Arch>,
      .silu = map_kernel<Arch, silu<Arch>>,
      .softplus = map_kernel<Arch, softplus<Arch>>,
      .exp = map_kernel<Arch, exp<Arch>>,
      .scan_exp2 = map_kernel<Arch, exp2_checked<Arch>>,
      .fma_chains = fma_chains_kernel<Arch>,
      .sum_all = sum_all_kernel<Arch>,
  };
}

}  // namespace genomamba::kernels::impl
