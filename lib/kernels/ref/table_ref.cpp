// SPDX-License-Identifier: MIT
// The table of the reference kernels.
#include "ref/table_ref.hpp"

namespace genomamba::kernels {

// lanes 4: the panels of the projections are then as wide as those of SSE2. scan_group 1: channels
// stay in order.
const KernelTable kRefTable = {
    .name = "ref",
    .lanes = 4,
    .scan_group = 1,
    .scan_A_scale = 1.0F,
    .selective_scan = ref::selective_scan,
    .ssd_scan = ref::ssd_scan,
    .causal_conv1d_silu = ref::causal_conv1d_silu,
    .linear = ref::linear,
    .rms_norm = ref::rms_norm,
    .rms_scale = ref::rms_scale,
    .layer_norm = ref::layer_norm,
    .rms_norm_gated = ref::rms_norm_gated,
    .silu = ref::silu,
    .softplus = ref::softplus,
    .exp = ref::exp,
    .scan_exp2 = ref::exp2,
    .fma_chains = ref::fma_chains,
    .sum_all = ref::sum_all,
};

}  // namespace genomamba::kernels
