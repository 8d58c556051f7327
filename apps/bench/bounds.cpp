// SPDX-License-Identifier: MIT
#include "bench/bounds.hpp"

#include "genomamba/kernels/isa.hpp"

namespace genomamba::apps::bench {

OperationCounts operation_counts() noexcept {
  // exp2: a table of 4 and a cubic on AVX2, else a polynomial of degree 5.
  const double exp2 = kernels::active_isa() == kernels::Isa::kAvx2 ? 4.0 : 5.0;
  const double silu = 1.0 + exp2 + 1.0;
  const double softplus = 1.0 + exp2 + 10.0;
  return {
      .scan = 1.0 + exp2 + 3.0,
      .fused = softplus + 1.0 + 1.0 + silu + 1.0,
      .conv = 4.0 + silu,
      .norm = 3.0,
      .softplus = softplus,
      .silu = silu,
      .exp = 9.0,
  };
}

double as_flops(double operations, double n) noexcept {
  return 2.0 * operations * n;
}

TokenWork token_work(const model::MambaConfig& config) noexcept {
  const auto d_model = static_cast<double>(config.d_model);
  const auto d_inner = static_cast<double>(config.d_inner);
  const auto d_state = static_cast<double>(config.d_state);
  const auto dt_rank = static_cast<double>(config.dt_rank);
  const auto d_intermediate = static_cast<double>(config.d_intermediate);
  const bool is_mamba1 = config.mixer == model::Mixer::kMamba1;
  const double n_directions = config.is_bidirectional() ? 2.0 : 1.0;
  const bool is_tied = config.bidirectional_weight_tie;
  const double n_in_proj = is_tied ? 1.0 : n_directions;
  const bool adds = config.direction != model::Direction::kBidirectionalMultiply;
  const double n_out_proj = is_tied && adds ? 1.0 : n_directions;

  const double in_width = is_mamba1 ? 2.0 * d_inner
                                    : 2.0 * d_inner +
                                          2.0 * static_cast<double>(config.ngroups) * d_state +
                                          static_cast<double>(config.n_heads);
  const double inner = is_mamba1 ? d_inner * (2.0 * dt_rank + 2.0 * d_state) : 0.0;
  const double multiply_adds = n_in_proj * d_model * in_width + n_directions * inner +
                               n_out_proj * d_inner * d_model + 3.0 * d_model * d_intermediate;
  const double n_times =
      static_cast<double>(config.n_layer) * (config.strands == model::Strands::kSingle ? 1.0 : 2.0);
  return {
      .gemm_flops = 2.0 * n_times * multiply_adds,
      .scan_elements = n_times * n_directions * d_inner * d_state,
      // Mamba-2 has one exponential a head: what is left is decay, input and output.
      .scan_operations = is_mamba1 ? operation_counts().scan : 3.0,
  };
}

double token_flops(const model::MambaConfig& config) noexcept {
  const TokenWork work = token_work(config);
  return work.gemm_flops + as_flops(work.scan_operations, work.scan_elements);
}

}  // namespace genomamba::apps::bench
