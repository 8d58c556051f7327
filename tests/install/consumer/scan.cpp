// SPDX-License-Identifier: MIT
// The selective scan on its own: by one thread over a range of channels, and by two on oneTBB.
// Prints the largest difference from the recurrence written out.
#include "genomamba/kernels/selective_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "genomamba/pipeline/core_executor.hpp"

namespace {

constexpr std::size_t kLength = 40;
constexpr std::size_t kInner = 200;
constexpr std::size_t kState = 16;

std::vector<float> wave(std::size_t n, double low, double high) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = static_cast<float>(low + (high - low) * static_cast<double>(i * 37 % 101) / 100.0);
  return x;
}

double softplus(double x) {
  return std::log1p(std::exp(x));
}

/// h = exp(delta A) h + delta B u;  out = C h + D u.
std::vector<float> written_out(const genomamba::kernels::SelectiveScanArgs& args) {
  std::vector<float> out(kLength * kInner);
  for (std::size_t c = 0; c < kInner; ++c) {
    std::vector<double> h(kState);
    for (std::size_t t = 0; t < kLength; ++t) {
      const double u = args.u[t * kInner + c];
      const double delta = softplus(args.delta[t * kInner + c] + args.delta_bias[c]);
      double y = args.D[c] * u;
      for (std::size_t n = 0; n < kState; ++n) {
        h[n] = std::exp(delta * args.A[c * kState + n]) * h[n] + delta * args.B[t * kState + n] * u;
        y += args.C[t * kState + n] * h[n];
      }
      out[t * kInner + c] = static_cast<float>(y);
    }
  }
  return out;
}

}  // namespace

int main() {
  const auto u = wave(kLength * kInner, -1.0, 1.0);
  const auto delta = wave(kLength * kInner, -3.0, 0.0);
  const auto A = wave(kInner * kState, -16.0, -0.1);
  const auto B = wave(kLength * kState, -1.0, 1.0);
  const auto C = wave(kLength * kState, 1.0, -1.0);
  const auto D = wave(kInner, -1.0, 1.0);
  const auto delta_bias = wave(kInner, -1.0, 0.0);
  std::vector<float> out(kLength * kInner);
  genomamba::kernels::SelectiveScanArgs args;
  args.seqlen = kLength;
  args.d_inner = kInner;
  args.d_state = kState;
  args.u = u.data();
  args.delta = delta.data();
  args.A = A.data();
  args.B = B.data();
  args.C = C.data();
  args.D = D.data();
  args.delta_bias = delta_bias.data();
  args.delta_softplus = true;
  args.out = out.data();
  args.u_stride = args.delta_stride = args.out_stride = kInner;
  args.B_stride = args.C_stride = kState;

  const std::vector<float> expected = written_out(args);
  for (std::size_t begin = 0; begin < kInner; begin += 50) {
    args.channel_begin = begin;
    args.channel_end = begin + 50;
    genomamba::kernels::selective_scan(args);
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < out.size(); ++i)
    largest = std::max<double>(largest, std::fabs(out[i] - expected[i]));

  const std::vector<float> by_one = out;
  std::fill(out.begin(), out.end(), 0.0F);
  args.channel_begin = 0;
  args.channel_end = kInner;
  genomamba::pipeline::CoreExecutor executor(2);
  genomamba::kernels::selective_scan(args, executor);
  std::printf("scan: %s, %s\n", largest < 1e-5 ? "right" : "WRONG",
              out == by_one ? "the same on two threads" : "DIFFERENT on two threads");
  return largest < 1e-5 && out == by_one ? 0 : 1;
}
