// SPDX-License-Identifier: MIT
// The selective scan as a C function in a shared library, for scripts that load it with ctypes.
#include <cstddef>

#include "genomamba/kernels/flush_denormals.hpp"
#include "genomamba/kernels/isa.hpp"
#include "genomamba/kernels/selective_scan.hpp"

extern "C" {

/// u, delta, z, out [seqlen, d_inner]; A [d_inner, d_state]; B, C [seqlen, d_state]; D, delta_bias
/// [d_inner]; all contiguous. delta_bias is added and softplus taken inside. D, z and delta_bias
/// may be null.
__attribute__((visibility("default"))) void genomamba_selective_scan(
    const float* u, const float* delta, const float* A, const float* B, const float* C,
    const float* D, const float* z, const float* delta_bias, std::size_t seqlen,
    std::size_t d_inner, std::size_t d_state, float* out) {
  const genomamba::kernels::FlushDenormals flush;
  genomamba::kernels::selective_scan(genomamba::kernels::SelectiveScanArgs{
      .seqlen = seqlen,
      .d_inner = d_inner,
      .d_state = d_state,
      .channel_begin = 0,
      .channel_end = d_inner,
      .u = u,
      .u_stride = d_inner,
      .delta = delta,
      .delta_stride = d_inner,
      .A = A,
      .B = B,
      .B_stride = d_state,
      .C = C,
      .C_stride = d_state,
      .D = D,
      .z = z,
      .z_stride = d_inner,
      .delta_bias = delta_bias,
      .delta_softplus = true,
      .out = out,
      .out_stride = d_inner,
  });
}

/// The kernels that run: "avx2", ...
__attribute__((visibility("default"))) const char* genomamba_isa() {
  return genomamba::kernels::to_string(genomamba::kernels::active_isa()).data();
}

}  // extern "C"
