// SPDX-License-Identifier: MIT
// The call of the active table.
#include "genomamba/kernels/ssd_scan.hpp"

#include <cassert>

#include "genomamba/core/aligned_buffer.hpp"
#include "kernel_table.hpp"

namespace genomamba::kernels {

void ssd_scan(const SsdScanArgs& args) {
  assert(args.head_begin <= args.head_end && args.head_end <= args.n_heads);
  assert(args.ngroups > 0 && args.n_heads % args.ngroups == 0);
  if (args.seqlen == 0 || args.head_begin == args.head_end) return;
  const std::size_t head_state = args.d_state * args.headdim;
  AlignedBuffer<float> local_state;
  float* state = args.state;
  if (state == nullptr) {
    local_state = AlignedBuffer<float>((args.head_end - args.head_begin) * head_state);
    state = local_state.data();
  } else {
    state += args.head_begin * head_state;
  }
  // Time runs from the last row to the first when the stride is negative.
  const auto first = [&](auto* data, std::size_t stride) {
    return data != nullptr && args.reverse ? data + (args.seqlen - 1) * stride : data;
  };
  const auto signed_stride = [&](std::size_t stride) {
    const auto value = static_cast<std::ptrdiff_t>(stride);
    return args.reverse ? -value : value;
  };
  active_table().ssd_scan({
      .seqlen = args.seqlen,
      .head_begin = args.head_begin,
      .head_end = args.head_end,
      .headdim = args.headdim,
      .d_state = args.d_state,
      .heads_per_group = args.n_heads / args.ngroups,
      .x = first(args.x, args.x_stride),
      .x_stride = signed_stride(args.x_stride),
      .dt = first(args.dt, args.dt_stride),
      .dt_stride = signed_stride(args.dt_stride),
      .A = args.A,
      .B = first(args.B, args.B_stride),
      .B_stride = signed_stride(args.B_stride),
      .C = first(args.C, args.C_stride),
      .C_stride = signed_stride(args.C_stride),
      .D = args.D,
      .D_has_hdim = args.D_has_hdim,
      .z = first(args.z, args.z_stride),
      .z_stride = signed_stride(args.z_stride),
      .dt_bias = args.dt_bias,
      .dt_softplus = args.dt_softplus,
      .dt_min = args.dt_limit_min,
      .dt_max = args.dt_limit_max,
      .accumulate = args.accumulate,
      .state = state,
      .out = first(args.out, args.out_stride),
      .out_stride = signed_stride(args.out_stride),
  });
}

}  // namespace genomamba::kernels
