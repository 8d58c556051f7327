// SPDX-License-Identifier: MIT
// The least time that a piece of work can take: its multiplies, multiply-adds and divisions at two
// a cycle (every core of today starts at most two), and its bytes at the rate of the cache that
// holds them.
#pragma once

#include <cstddef>

#include "genomamba/model/mamba_config.hpp"

namespace genomamba::apps::bench {

/// Multiplies, multiply-adds and divisions a vector of elements costs, as the kernels of the active
/// ISA are written (lib/kernels/impl/).
struct OperationCounts {
  double scan;   ///< of one (channel, state) pair at one step: exp, decay, input, output
  double fused;  ///< of one channel at one step, around the recurrence: softplus, D u, SiLU gate
  double conv;   ///< of one channel at one step, 4 taps and SiLU
  double norm;   ///< of one value of an RMSNorm
  double softplus;
  double silu;
  double exp;
};
OperationCounts operation_counts() noexcept;

/// Floating-point operations of multiply-adds that take as long as `operations` of one element
/// each on `n` elements: so that work of both kinds can be added.
double as_flops(double operations, double n) noexcept;

/// Work of one token through all layers of a model, norms, convolution and elementwise parts left
/// out.
struct TokenWork {
  double gemm_flops;
  double scan_elements;    ///< (channel, state) pairs
  double scan_operations;  ///< operations of one of them
};
/// Counts what has to be computed: projections that both directions share once.
TokenWork token_work(const model::MambaConfig& config) noexcept;

/// Flops of multiply-adds that take as long as one token: the composite bound is these at peak.
double token_flops(const model::MambaConfig& config) noexcept;

}  // namespace genomamba::apps::bench
