// SPDX-License-Identifier: MIT
// The steps of the Mamba-2 mixer between conv1d and out_proj (mamba_ssm/modules/mamba2.py,
// Mamba2.forward), in the sequential form of models.md 2.2.
#include <algorithm>
#include <cmath>

#include "genomamba/kernels/activations.hpp"
#include "mixer_pass.hpp"

namespace genomamba::model {
namespace {

/// S = a S + dt x B^T and y = S C + D x for one head and one time step.
struct HeadStep {
  std::size_t headdim;
  std::size_t d_state;
  float a;  ///< exp(dt A)
  float dt;
  const float* x;  ///< [headdim]
  const float* B;  ///< [d_state]
  const float* C;  ///< [d_state]
  float* S;        ///< [d_state, headdim]: the head's channels side by side
  float* y;        ///< [headdim]
};

void step(const HeadStep& s) {
  std::fill_n(s.y, s.headdim, 0.0F);
  for (std::size_t n = 0; n < s.d_state; ++n) {
    float* S = s.S + n * s.headdim;
    const float dt_B = s.dt * s.B[n];
    const float C = s.C[n];
    for (std::size_t p = 0; p < s.headdim; ++p) {
      S[p] = s.a * S[p] + dt_B * s.x[p];
      s.y[p] += C * S[p];
    }
  }
}

void add_skip(const MixerPass& pass, std::size_t head, const float* x, float* y) {
  const std::size_t headdim = pass.config.headdim;
  const AlignedBuffer<float>& D = pass.weights.D;
  const bool has_hdim = D.size() != pass.config.n_heads;
  for (std::size_t p = 0; p < headdim; ++p) {
    y[p] += (has_hdim ? D[head * headdim + p] : D[head]) * x[p];
  }
}

}  // namespace

void mamba2_project(const MixerPass& pass, const BlockBuffers& buffers, RowRange block) {
  const std::size_t n_heads = pass.config.n_heads;
  const std::size_t dt_offset = pass.widths.in_proj - n_heads;
  for (std::size_t row = block.begin; row < block.end; ++row) {
    const float* dt = buffers.xz.row(row) + dt_offset;
    float* delta = buffers.delta.row(row);
    for (std::size_t h = 0; h < n_heads; ++h)
      delta[h] = dt[h] + pass.weights.dt_bias[h];
    kernels::softplus(delta, delta, n_heads);
    for (std::size_t h = 0; h < n_heads; ++h) {
      delta[h] = std::clamp(delta[h], pass.config.dt_limit_min, pass.config.dt_limit_max);
    }
  }
}

void mamba2_scan(const MixerPass& pass, const BlockBuffers& buffers, const Piece& piece,
                 Strip heads) {
  const MambaConfig& config = pass.config;
  const PieceState state = state_of(pass, buffers, piece);
  const std::size_t head_state = config.headdim * config.d_state;
  const std::size_t heads_per_group = config.n_heads / config.ngroups;
  AlignedBuffer<float> own(state.ssm == nullptr ? head_state : 0);
  for (std::size_t head = heads.begin; head < heads.end; ++head) {
    float* S = state.ssm == nullptr ? own.data() : state.ssm + head * head_state;
    if (state.ssm == nullptr) std::fill_n(S, head_state, 0.0F);
    const std::size_t group_at = (head / heads_per_group) * config.d_state;
    for (std::size_t t = 0; t < piece.rows.size(); ++t) {
      const std::size_t row = pass.reverse ? piece.rows.end - 1 - t : piece.rows.begin + t;
      const float* xBC = buffers.conv_out.row(row);
      const float* B = xBC + config.d_inner + group_at;
      const float dt = buffers.delta.row(row)[head];
      float decay = dt * pass.weights.A[head];
      kernels::exp(&decay, &decay, 1);
      float* y = buffers.y_part.row(row) + head * config.headdim;
      const float* x = xBC + head * config.headdim;
      step({config.headdim, config.d_state, decay, dt, x, B, B + config.ngroups * config.d_state, S,
            y});
      add_skip(pass, head, x, y);
    }
  }
}

void mamba2_gate(const MixerPass& pass, const BlockBuffers& buffers, RowRange block) {
  const MambaConfig& config = pass.config;
  const bool has_norm = pass.weights.norm.size() > 0;
  const std::size_t n_groups = config.ngroups;
  const std::size_t width = config.d_inner / n_groups;
  for (std::size_t row = block.begin; row < block.end; ++row) {
    float* z = buffers.xz.row(row);
    float* part = buffers.y_part.row(row);
    float* y = buffers.y.row(row);
    // The gate is written over the part below, z is needed again by the other direction.
    float* gate = buffers.conv_out.row(row);
    kernels::silu(z, gate, config.d_inner);
    for (std::size_t c = 0; c < config.d_inner; ++c)
      part[c] *= gate[c];
    for (std::size_t g = 0; has_norm && g < n_groups; ++g) {
      float* group = part + g * width;
      double sum = 0;
      for (std::size_t c = 0; c < width; ++c)
        sum += static_cast<double>(group[c]) * group[c];
      const auto scale = static_cast<float>(
          1.0 / std::sqrt(sum / static_cast<double>(width) + config.mixer_norm_epsilon));
      for (std::size_t c = 0; c < width; ++c)
        group[c] *= scale * pass.weights.norm[g * width + c];
    }
    for (std::size_t c = 0; c < config.d_inner; ++c) {
      y[c] = pass.accumulate ? y[c] + part[c] : part[c];
    }
  }
}

}  // namespace genomamba::model
