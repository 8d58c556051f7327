// SPDX-License-Identifier: MIT
// Inputs of one selective scan and the ways to run it.
#pragma once

#include <vector>

#include "genomamba/kernels/selective_scan.hpp"
#include "kernel_test_support.hpp"

namespace genomamba::kernels::test {

struct ScanCase {
  std::size_t seqlen, d_inner, d_state;
  std::size_t stride;  // of u, delta, z and out
  std::vector<float> u, delta, A, B, C, D, z, delta_bias, initial_state;
};

/// Values as a trained model has them: delta around softplus(-4) to softplus(0), A from -d_state to
/// -0.1.
inline ScanCase make_scan_case(std::size_t seqlen, std::size_t d_inner, std::size_t d_state) {
  Rng rng(seqlen * 7919 + d_inner * 131 + d_state);
  ScanCase c{seqlen, d_inner, d_state, d_inner + 3, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  c.u = rng.vector(seqlen * c.stride);
  c.delta = rng.vector(seqlen * c.stride, -2.0F, 2.0F);
  c.A = rng.vector(d_inner * d_state, -static_cast<float>(d_state), -0.1F);
  c.B = rng.vector(seqlen * (d_state + 1));
  c.C = rng.vector(seqlen * (d_state + 2));
  c.D = rng.vector(d_inner);
  c.z = rng.vector(seqlen * c.stride, -3.0F, 3.0F);
  c.delta_bias = rng.vector(d_inner, -3.0F, -1.0F);
  c.initial_state = rng.vector(d_inner * d_state);
  return c;
}

struct ScanOptions {
  bool D = true;
  bool z = true;
  bool delta_bias = true;
  bool initial_state = false;
  bool reverse = false;
  bool accumulate = false;
};

struct ScanResult {
  std::vector<float> out;         // [seqlen, stride]
  std::vector<float> last_state;  // [d_inner, d_state]
};

/// What out holds before a run: shows what is added to, and what is not touched.
inline ScanResult make_result(const ScanCase& c) {
  Rng rng(99);
  return {rng.vector(c.seqlen * c.stride), std::vector<float>(c.d_inner * c.d_state)};
}

/// Steps [begin, end) in the direction of time, channels [c0, c1); the state comes from and goes to
/// result.last_state.
inline SelectiveScanArgs scan_part_args(const ScanCase& c, const ScanOptions& options,
                                        std::size_t begin, std::size_t end, std::size_t c0,
                                        std::size_t c1, ScanResult& result) {
  const std::size_t row = options.reverse ? c.seqlen - end : begin;
  return {
      .seqlen = end - begin,
      .d_inner = c.d_inner,
      .d_state = c.d_state,
      .channel_begin = c0,
      .channel_end = c1,
      .u = c.u.data() + row * c.stride,
      .u_stride = c.stride,
      .delta = c.delta.data() + row * c.stride,
      .delta_stride = c.stride,
      .A = c.A.data(),
      .B = c.B.data() + row * (c.d_state + 1),
      .B_stride = c.d_state + 1,
      .C = c.C.data() + row * (c.d_state + 2),
      .C_stride = c.d_state + 2,
      .D = options.D ? c.D.data() : nullptr,
      .z = options.z ? c.z.data() + row * c.stride : nullptr,
      .z_stride = c.stride,
      .delta_bias = options.delta_bias ? c.delta_bias.data() : nullptr,
      .delta_softplus = true,
      .reverse = options.reverse,
      .accumulate = options.accumulate,
      .initial_state = begin == 0 && !options.initial_state ? nullptr : result.last_state.data(),
      .last_state = result.last_state.data(),
      .out = result.out.data() + row * c.stride,
      .out_stride = c.stride,
  };
}

inline void run_scan_part(const ScanCase& c, const ScanOptions& options, std::size_t begin,
                          std::size_t end, std::size_t c0, std::size_t c1, ScanResult& result) {
  selective_scan(scan_part_args(c, options, begin, end, c0, c1, result));
}

inline ScanResult run_scan(const ScanCase& c, const ScanOptions& options = {}) {
  ScanResult result = make_result(c);
  if (options.initial_state) result.last_state = c.initial_state;
  run_scan_part(c, options, 0, c.seqlen, 0, c.d_inner, result);
  return result;
}

}  // namespace genomamba::kernels::test
