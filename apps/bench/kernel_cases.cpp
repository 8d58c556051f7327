// SPDX-License-Identifier: MIT
#include "bench/kernel_cases.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "bench/bounds.hpp"
#include "genomamba/core/aligned_buffer.hpp"
#include "genomamba/kernels/activations.hpp"
#include "genomamba/kernels/causal_conv1d.hpp"
#include "genomamba/kernels/flush_denormals.hpp"
#include "genomamba/kernels/linear.hpp"
#include "genomamba/kernels/norm.hpp"
#include "genomamba/kernels/selective_scan.hpp"

namespace genomamba::apps::bench {
namespace {

using Floats = AlignedBuffer<float>;
using Sizes = std::vector<std::size_t>;

/// `n` values that wander over [low, high].
Floats values(std::size_t n, float low, float high) {
  Floats x(n);
  std::uint32_t state = 1;
  for (float& value : x.span()) {
    state = state * 1664525U + 1013904223U;
    value = low + (high - low) * static_cast<float>(state >> 8) * 0x1p-24F;
  }
  return x;
}

/// What one kernel's measurements share.
class KernelBench {
 public:
  KernelBench(bool quick, const Machine& machine, Executor& executor, std::vector<KernelRow>& rows)
      : quick_(quick), machine_(machine), executor_(executor), rows_(rows) {}

  void selective_scan() const;
  void linear() const;
  void causal_conv1d() const;
  void rms_norm() const;
  void map(const char* name, void (*kernel)(const float*, float*, std::size_t),
           double operations) const;
  void softplus() const { map("softplus", kernels::softplus, operation_counts().softplus); }
  void silu() const { map("silu", kernels::silu, operation_counts().silu); }
  void exp() const { map("exp", kernels::exp, operation_counts().exp); }

 private:
  struct ScanInputs;
  struct ScanShape {
    std::size_t d_inner, d_state, seqlen;
    bool reverse;
  };
  void scan(const ScanInputs& in, const ScanShape& shape, bool is_fused) const;

  Effort effort() const { return quick_ ? Effort{2, 3, 0.005} : Effort{1, 50, 0.02}; }

  /// Runs `body` and keeps the row. `flops` as as_flops counts them; `bytes` read and written.
  void row(KernelRow row, double bytes, Executor& executor,
           const std::function<void()>& body) const {
    row.threads = executor.concurrency();
    row.bytes_seconds = row.threads == 1 ? bytes / machine_.bytes_per_second(bytes) : 0.0;
    row.timing.measure(effort(), executor, body);
    rows_.push_back(std::move(row));
  }

  bool quick_;
  const Machine& machine_;
  Executor& executor_;
  std::vector<KernelRow>& rows_;
};

/// Inputs for the largest shape; smaller ones use a part. Rows have the stride that the shape asks
/// for.
struct KernelBench::ScanInputs {
  ScanInputs(std::size_t most_values, std::size_t most_inner, std::size_t most_state,
             std::size_t most_rows)
      : u(values(most_values, -1.0F, 1.0F)),
        delta(values(most_values, 0.001F, 0.1F)),
        raw_delta(values(most_values, -6.0F, 0.0F)),
        z(values(most_values, -3.0F, 3.0F)),
        A(values(most_inner * most_state, -16.0F, -0.1F)),
        BC(values(most_rows * 2 * most_state, -1.0F, 1.0F)),
        D(values(most_inner, -1.0F, 1.0F)),
        delta_bias(values(most_inner, -1.0F, 0.0F)),
        out(most_values) {}
  Floats u, delta, raw_delta, z, A, BC, D, delta_bias;
  mutable Floats out;
};

void KernelBench::scan(const ScanInputs& in, const ScanShape& shape, bool is_fused) const {
  const auto [d_inner, d_state, seqlen, reverse] = shape;
  const std::size_t stride = kernels::recommended_stride(d_inner);
  const kernels::ScanWeights weights(in.A.data(), is_fused ? in.D.data() : nullptr,
                                     is_fused ? in.delta_bias.data() : nullptr, d_inner, d_state);
  Floats state(weights.state_size());
  const kernels::PackedScanArgs args = {
      .weights = &weights,
      .seqlen = seqlen,
      .channel_begin = 0,
      .channel_end = d_inner,
      .u = in.u.data(),
      .u_stride = stride,
      .delta = is_fused ? in.raw_delta.data() : in.delta.data(),
      .delta_stride = stride,
      .B = in.BC.data(),
      .B_stride = 2 * d_state,
      .C = in.BC.data() + d_state,
      .C_stride = 2 * d_state,
      .z = is_fused ? in.z.data() : nullptr,
      .z_stride = stride,
      .delta_softplus = is_fused,
      .reverse = reverse,
      .state = state.data(),
      .out = in.out.data(),
      .out_stride = stride,
  };
  const auto channels = static_cast<double>(d_inner * seqlen);
  const double elements = channels * static_cast<double>(d_state);
  const OperationCounts counts = operation_counts();
  const double flops =
      as_flops(counts.scan, elements) + (is_fused ? as_flops(counts.fused, channels) : 0.0);
  // Read: u, delta, z; written: out.
  const double bytes = channels * 4.0 * (is_fused ? 4.0 : 3.0);
  const KernelRow empty = {
      .kernel = is_fused ? "selective_scan fused" : "selective_scan",
      .shape = {{"d_inner", d_inner},
                {"d_state", d_state},
                {"seqlen", seqlen},
                {"reverse", reverse}},
      .elements = elements,
      .bound_flops = flops,
  };
  row(empty, bytes, serial_executor(), [&] { kernels::selective_scan(args); });
  if (d_state == 16 && executor_.concurrency() > 1)
    row(empty, bytes, executor_, [&] { kernels::selective_scan(args, executor_); });
}

void KernelBench::selective_scan() const {
  const Sizes d_inner = quick_ ? Sizes{512} : Sizes{256, 512, 768, 1536, 2048};
  const Sizes d_state = quick_ ? Sizes{16} : Sizes{4, 8, 16, 32, 64, 128};
  const Sizes seqlen = quick_ ? Sizes{128} : Sizes{128, 2048, 16384};
  const ScanInputs in(seqlen.back() * kernels::recommended_stride(d_inner.back()), d_inner.back(),
                      d_state.back(), seqlen.back());
  for (const bool is_fused : {false, true}) {
    for (const std::size_t n : d_state) {
      for (const std::size_t D : d_inner) {
        for (const std::size_t L : seqlen) {
          for (const bool reverse : {false, true})
            scan(in, {D, n, L, reverse}, is_fused);
        }
      }
    }
  }
}

/// in_proj, x_proj, dt_proj and out_proj of the d_models of published models, d_state 16.
void KernelBench::linear() const {
  const Sizes d_model = quick_ ? Sizes{256} : Sizes{128, 256, 384, 512, 768, 1024};
  const Sizes rows = quick_ ? Sizes{1, 64} : Sizes{1, 8, 64, 256, 512, 4096};
  const std::size_t most = d_model.back();
  const Floats weight = values(4 * most * most, -1.0F, 1.0F);
  const Floats x = values(rows.back() * kernels::recommended_stride(2 * most), -1.0F, 1.0F);
  Floats y(rows.back() * kernels::recommended_stride(4 * most));
  for (const std::size_t d : d_model) {
    const std::size_t dt_rank = (d + 15) / 16;
    const std::pair<std::size_t, std::size_t> shapes[] = {
        {d, 4 * d}, {2 * d, dt_rank + 32}, {dt_rank, 2 * d}, {2 * d, d}};
    for (const auto& [K, N] : shapes) {
      const kernels::PackedLinear packed({weight.data(), N, K});
      for (const std::size_t M : rows) {
        const Span2d<const float> in(x.data(), M, K, kernels::recommended_stride(K));
        const Span2d<float> out(y.data(), M, N, kernels::recommended_stride(N));
        const double flops = 2.0 * static_cast<double>(M) * static_cast<double>(K * N);
        row({.kernel = "linear",
             .shape = {{"K", K}, {"N", N}, {"rows", M}},
             .flops = flops,
             .bound_flops = flops},
            4.0 * static_cast<double>(K * N + M * (K + N)), serial_executor(),
            [&] { kernels::linear(in, packed, out); });
      }
    }
  }
}

void KernelBench::causal_conv1d() const {
  const Sizes d_inner = quick_ ? Sizes{512} : Sizes{256, 512, 768, 1536, 2048};
  const Sizes seqlen = quick_ ? Sizes{128} : Sizes{128, 2048};
  const std::size_t most = seqlen.back() * kernels::recommended_stride(d_inner.back());
  const Floats x = values(most, -1.0F, 1.0F);
  const Floats taps = values(4 * d_inner.back(), -1.0F, 1.0F);
  Floats out(most);
  for (const std::size_t channels : d_inner) {
    const kernels::ConvWeights weights(taps.data(), taps.data(), channels, 4);
    const std::size_t stride = kernels::recommended_stride(channels);
    for (const std::size_t L : seqlen) {
      const auto elements = static_cast<double>(channels * L);
      row({.kernel = "causal_conv1d_silu",
           .shape = {{"d_inner", channels}, {"seqlen", L}},
           .elements = elements,
           .bound_flops = as_flops(operation_counts().conv, elements)},
          8.0 * elements, serial_executor(), [&] {
            kernels::causal_conv1d_silu({.weights = &weights,
                                         .seqlen = L,
                                         .channel_begin = 0,
                                         .channel_end = channels,
                                         .x = x.data(),
                                         .x_stride = stride,
                                         .out = out.data(),
                                         .out_stride = stride});
          });
    }
  }
}

void KernelBench::rms_norm() const {
  constexpr std::size_t kRows = 256;
  const Sizes d_model = quick_ ? Sizes{256} : Sizes{128, 256, 384, 512, 768, 1024};
  const Floats x = values(kRows * d_model.back(), -1.0F, 1.0F);
  Floats y(kRows * d_model.back());
  for (const std::size_t d : d_model) {
    const auto elements = static_cast<double>(kRows * d);
    row({.kernel = "rms_norm",
         .shape = {{"d_model", d}, {"rows", kRows}},
         .elements = elements,
         .bound_flops = as_flops(operation_counts().norm, elements)},
        8.0 * elements, serial_executor(), [&] {
          kernels::rms_norm({x.data(), kRows, d}, x.data(), 1e-5F, {y.data(), kRows, d});
        });
  }
}

void KernelBench::map(const char* name, void (*kernel)(const float*, float*, std::size_t),
                      double operations) const {
  constexpr std::size_t kValues = 4096;
  const Floats x = values(kValues, -8.0F, 8.0F);
  Floats y(kValues);
  constexpr int kTimes = 16;
  const auto elements = static_cast<double>(kTimes * kValues);
  row({.kernel = name,
       .shape = {{"values", kValues}},
       .elements = elements,
       .bound_flops = as_flops(operations, elements)},
      8.0 * static_cast<double>(kValues), serial_executor(), [&] {
        for (int i = 0; i < kTimes; ++i)
          kernel(x.data(), y.data(), kValues);
      });
}

struct Kernel {
  const char* name;
  void (KernelBench::*measure)() const;
};
constexpr Kernel kKernels[] = {
    {"linear", &KernelBench::linear},
    {"selective_scan", &KernelBench::selective_scan},
    {"causal_conv1d_silu", &KernelBench::causal_conv1d},
    {"rms_norm", &KernelBench::rms_norm},
    {"softplus", &KernelBench::softplus},
    {"silu", &KernelBench::silu},
    {"exp", &KernelBench::exp},
};

}  // namespace

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Kernel& kernel : kKernels)
      list.emplace_back(kernel.name);
    return list;
  }();
  return names;
}

double KernelRow::share_of_bound(const Run& run) const {
  return std::max(bound_flops / (run.peak_gflops * 1e9), bytes_seconds) / run.seconds;
}

std::vector<KernelRow> measure_kernels(const std::vector<std::string>& only, bool quick,
                                       const Machine& machine, Executor& executor) {
  const kernels::FlushDenormals flush;
  std::vector<KernelRow> rows;
  const int n_rounds = quick ? 1 : 4;
  for (int round = 0; round < n_rounds; ++round) {
    std::vector<KernelRow> more;
    const KernelBench bench(quick, machine, executor, more);
    for (const Kernel& kernel : kKernels) {
      if (only.empty() || std::find(only.begin(), only.end(), kernel.name) != only.end())
        (bench.*kernel.measure)();
    }
    if (round == 0) {
      rows = std::move(more);
    } else {
      for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].timing.add(more[i].timing);
    }
  }
  return rows;
}

}  // namespace genomamba::apps::bench
