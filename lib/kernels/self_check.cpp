// SPDX-License-Identifier: MIT
// The inputs are small, cover a full vector group and a tail, and need no random numbers.
#include "self_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "linear_layout.hpp"

namespace genomamba::kernels {
namespace {

using Values = std::vector<float>;

/// n values that wander over [low, high].
Values wave(std::size_t n, float low, float high, std::size_t phase) {
  Values values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t step = (i + phase) * 37 % 101;
    values[i] = low + (high - low) * static_cast<float>(step) / 100.0F;
  }
  return values;
}

bool agree(const Values& found, const Values& expected) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    // Written so that NaN disagrees.
    if (!(std::fabs(found[i] - expected[i]) <= 1e-4F * (1.0F + std::fabs(expected[i]))))
      return false;
  }
  return true;
}

Values run_map(void (*kernel)(const float*, float*, std::size_t) noexcept, float low, float high) {
  const Values x = wave(37, low, high, 3);
  Values y(x.size());
  kernel(x.data(), y.data(), y.size());
  return y;
}

Values run_conv(const KernelTable& table) {
  constexpr std::size_t kChannels = 37;
  const Values x = wave(6 * kChannels, -1.0F, 1.0F, 1);
  const Values taps = wave(4 * kChannels, -1.0F, 1.0F, 2);
  const Values bias = wave(kChannels, -1.0F, 1.0F, 3);
  Values out(x.size());
  table.causal_conv1d_silu({6, kChannels, 4, x.data(), kChannels, out.data(), kChannels,
                            taps.data(), kChannels, bias.data(), nullptr, 0});
  return out;
}

Values run_norms(const KernelTable& table) {
  constexpr std::size_t kWidth = 37;
  const Values x = wave(2 * kWidth, -2.0F, 2.0F, 1);
  const Values weight = wave(kWidth, 0.5F, 1.5F, 2);
  Values y(3 * x.size() + 2);
  NormCall call = {x.data(),      kWidth, 2,        kWidth, weight.data(),
                   weight.data(), 1e-5F,  y.data(), kWidth};
  table.rms_norm(call);
  call.y = y.data() + x.size();
  table.layer_norm(call);
  table.rms_scale(call, y.data() + 2 * x.size());
  call.y = y.data() + 2 * x.size() + 2;
  table.rms_norm_gated({call, x.data(), kWidth, 1, false});
  return y;
}

Values run_linear(const KernelTable& table) {
  constexpr std::size_t kIn = 19;
  constexpr std::size_t kOut = 45;
  constexpr std::size_t kRows = 15;
  const Values x = wave(kRows * kIn, -1.0F, 1.0F, 1);
  const PanelPlan plan = plan_panels(kOut, table.lanes);
  // Column n of the weights is wave(phase n), whatever the panels.
  Values panels;
  for (std::size_t n = 0; n < plan.n_vectors * table.lanes;) {
    const std::size_t width =
        (n < plan.n_pairs * 2 * table.lanes ? 2 : plan.last_width) * table.lanes;
    for (std::size_t k = 0; k < kIn; ++k) {
      for (std::size_t j = n; j < n + width; ++j)
        panels.push_back(static_cast<float>((j * 7 + k * 3) % 11) - 5.0F);
    }
    n += width;
  }
  Values y(kRows * kOut);
  table.linear({x.data(), kIn, kRows, kIn, kOut, panels.data(), nullptr, nullptr, kOut / 2, false,
                y.data(), kOut});
  return y;
}

Values run_scan(const KernelTable& table) {
  constexpr std::size_t kChannels = 37;
  constexpr std::size_t kSteps = 11;
  constexpr std::size_t kStates = 16;
  const std::size_t padded =
      (kChannels + table.scan_group - 1) / table.scan_group * table.scan_group;
  const Values u = wave(kSteps * kChannels, -1.0F, 1.0F, 1);
  const Values delta = wave(kSteps * kChannels, -3.0F, 1.0F, 2);
  const Values z = wave(kSteps * kChannels, -3.0F, 3.0F, 3);
  const Values B = wave(kSteps * kStates, -1.0F, 1.0F, 4);
  const Values D = wave(padded, -1.0F, 1.0F, 5);
  // A[n] is the same for every channel, so that the packed layout does not matter.
  Values A(padded * kStates);
  for (std::size_t i = 0; i < A.size(); ++i) {
    A[i] = -static_cast<float>(i / table.scan_group % kStates + 1) * table.scan_A_scale;
  }
  const Values delta_limit(padded, 1.0F);  // some blocks take the checked loop, some the other
  Values state(A.size());
  Values out(u.size());
  ScanCall call = {};
  call.seqlen = kSteps;
  call.channels = kChannels;
  call.d_state = kStates;
  call.u = u.data();
  call.delta = delta.data();
  call.z = z.data();
  call.out = out.data();
  call.u_stride = call.delta_stride = call.z_stride = call.out_stride = kChannels;
  call.B = B.data();
  call.C = B.data();
  call.B_stride = call.C_stride = kStates;
  call.A = A.data();
  call.delta_limit = delta_limit.data();
  call.D = D.data();
  call.state = state.data();
  call.delta_softplus = true;
  table.selective_scan(call);
  return out;
}

Values run_ssd(const KernelTable& table) {
  constexpr std::size_t kHeads = 3;
  constexpr std::size_t kWidth = kHeads * 19;
  constexpr std::size_t kSteps = 7;
  constexpr std::size_t kStates = 5;
  const Values x = wave(kSteps * kWidth, -1.0F, 1.0F, 1);
  const Values dt = wave(kSteps * kHeads, -2.0F, 1.0F, 2);
  const Values A = wave(kHeads, -4.0F, -0.5F, 3);
  const Values B = wave(kSteps * kStates, -1.0F, 1.0F, 4);
  Values state(kWidth * kStates);
  Values out(x.size());
  SsdCall call = {};
  call.seqlen = kSteps;
  call.head_end = kHeads;
  call.headdim = kWidth / kHeads;
  call.d_state = kStates;
  call.heads_per_group = kHeads;
  call.x = x.data();
  call.z = x.data();
  call.out = out.data();
  call.x_stride = call.z_stride = call.out_stride = kWidth;
  call.dt = dt.data();
  call.dt_stride = kHeads;
  call.A = A.data();
  call.D = A.data();
  call.B = B.data();
  call.C = B.data();
  call.B_stride = call.C_stride = kStates;
  call.dt_softplus = true;
  call.dt_max = 10.0F;
  call.state = state.data();
  table.ssd_scan(call);
  return out;
}

}  // namespace

std::optional<std::string_view> find_wrong_kernel(const KernelTable& table) {
  const KernelTable& ref = kRefTable;
  if (!agree(run_map(table.exp, -20.0F, 5.0F), run_map(ref.exp, -20.0F, 5.0F))) return "exp";
  if (!agree(run_map(table.silu, -20.0F, 20.0F), run_map(ref.silu, -20.0F, 20.0F))) return "silu";
  if (!agree(run_map(table.softplus, -20.0F, 30.0F), run_map(ref.softplus, -20.0F, 30.0F)))
    return "softplus";
  if (!agree(run_conv(table), run_conv(ref))) return "causal_conv1d_silu";
  if (!agree(run_norms(table), run_norms(ref))) return "norm";
  if (!agree(run_linear(table), run_linear(ref))) return "linear";
  if (!agree(run_scan(table), run_scan(ref))) return "selective_scan";
  if (!agree(run_ssd(table), run_ssd(ref))) return "ssd_scan";
  return std::nullopt;
}

}  // namespace genomamba::kernels
