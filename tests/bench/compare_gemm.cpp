// SPDX-License-Identifier: MIT
// The projections beside Eigen, OpenBLAS and oneDNN, one thread each, in one process.
//
// usage: compare_gemm [--pairs 11] [--d-model 128,256,...] [--rows 1,8,...]
//
// For every projection of the d_models (in_proj, x_proj, dt_proj, out_proj; d_state 16) and every
// number of rows: interleaved turns of all; the ratio is a library's time by ours, the interval the
// 95 % one of its geometric mean (t distribution of the logarithms). "slower" marks a shape where
// the whole interval of the best library lies below 0.97.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bench_support.hpp"
#include "gemm_peers.hpp"
#include "genomamba/kernels/flush_denormals.hpp"
#include "genomamba/kernels/isa.hpp"
#include "genomamba/kernels/linear.hpp"

namespace genomamba::bench {

std::vector<std::unique_ptr<GemmPeer>> make_gemm_peers(const GemmShape& shape,
                                                       const float* weight) {
  std::vector<std::unique_ptr<GemmPeer>> peers;
  peers.push_back(make_eigen(shape, weight));
#ifdef GENOMAMBA_HAS_OPENBLAS
  peers.push_back(make_openblas(shape, weight));
#endif
#ifdef GENOMAMBA_HAS_ONEDNN
  peers.push_back(make_onednn(shape, weight));
#endif
  return peers;
}

namespace {

class OurPeer final : public GemmPeer {
 public:
  OurPeer(const GemmShape& shape, const float* weight)
      : shape_(shape), packed_({weight, shape.N, shape.K}) {}
  const char* name() const override { return "genomamba"; }
  std::string kernel() const override {
    return std::string(kernels::to_string(kernels::active_isa()));
  }
  void run(const float* x, float* y) override {
    kernels::linear({x, shape_.rows, shape_.K}, packed_, {y, shape_.rows, shape_.N});
  }

 private:
  GemmShape shape_;
  kernels::PackedLinear packed_;
};

double seconds_of(GemmPeer& peer, const float* x, float* y, std::size_t n_calls) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < n_calls; ++i)
    peer.run(x, y);
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Interval {
  double low, mean, high;
};

/// 95 % interval of the geometric mean of the ratios.
Interval interval_of(const std::vector<double>& ratios) {
  // Student's t, two-sided 95 %, by degrees of freedom.
  constexpr double kT[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                           2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};
  const auto n = static_cast<double>(ratios.size());
  double mean = 0.0;
  for (const double ratio : ratios)
    mean += std::log(ratio) / n;
  double variance = 0.0;
  for (const double ratio : ratios)
    variance += std::pow(std::log(ratio) - mean, 2.0) / (n - 1.0);
  const double t = kT[std::min<std::size_t>(ratios.size() - 2, std::size(kT) - 1)];
  const double half = t * std::sqrt(variance / n);
  return {std::exp(mean - half), std::exp(mean), std::exp(mean + half)};
}

/// Prints one line; true if no library is faster beyond the interval.
bool compare(const GemmShape& shape, std::size_t n_pairs) {
  const auto weight = random_values(shape.N * shape.K);
  const auto x = random_values(shape.rows * shape.K);
  std::vector<float> y(shape.rows * shape.N);
  std::vector<std::unique_ptr<GemmPeer>> peers = make_gemm_peers(shape, weight.data());
  peers.insert(peers.begin(), std::make_unique<OurPeer>(shape, weight.data()));

  std::vector<float> expected;
  for (const auto& peer : peers) {
    std::fill(y.begin(), y.end(), 0.0F);
    peer->run(x.data(), y.data());
    if (expected.empty()) expected = y;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (!(std::fabs(y[i] - expected[i]) <= 1e-3F)) {
        std::fprintf(stderr, "compare_gemm: %s disagrees at K %zu N %zu rows %zu\n", peer->name(),
                     shape.K, shape.N, shape.rows);
        std::exit(1);
      }
    }
  }

  const double flops = 2.0 * static_cast<double>(shape.K * shape.N * shape.rows);
  const auto n_calls = static_cast<std::size_t>(std::max(1.0, 5e7 / flops));
  std::vector<std::vector<double>> seconds(peers.size());
  double peak = 0.0;
  for (std::size_t turn = 0; turn < n_pairs; ++turn) {
    peak = std::max(peak, kernels::measure_fma_gflops(0.1));
    for (std::size_t i = 0; i < peers.size(); ++i) {
      const std::size_t who = turn % 2 == 0 ? i : peers.size() - 1 - i;
      seconds[who].push_back(seconds_of(*peers[who], x.data(), y.data(), n_calls));
    }
  }
  const double best = *std::min_element(seconds[0].begin(), seconds[0].end());
  std::printf("%zu\t%zu\t%zu\t%.3f", shape.K, shape.N, shape.rows,
              flops * static_cast<double>(n_calls) / best / (peak * 1e9));
  Interval worst{1e9, 1e9, 1e9};
  for (std::size_t who = 1; who < peers.size(); ++who) {
    std::vector<double> ratios;
    for (std::size_t turn = 0; turn < n_pairs; ++turn)
      ratios.push_back(seconds[who][turn] / seconds[0][turn]);
    const Interval interval = interval_of(ratios);
    if (interval.mean < worst.mean) worst = interval;
    std::printf("\t%.2f [%.2f, %.2f] %s", interval.mean, interval.low, interval.high,
                peers[who]->kernel().c_str());
  }
  const bool holds = worst.high >= 0.97;
  std::printf("\t%s\n", holds ? "ok" : "slower");
  std::fflush(stdout);
  return holds;
}

std::vector<std::size_t> numbers(const char* text) {
  std::vector<std::size_t> list;
  for (char* end = nullptr; *text != '\0'; text = *end == ',' ? end + 1 : end)
    list.push_back(std::strtoul(text, &end, 10));
  return list;
}

/// The libraries choose for themselves.
void refuse_overrides() {
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "OPENBLAS_", 9) == 0 || std::strncmp(*variable, "DNNL_", 5) == 0) {
      std::fprintf(stderr, "compare_gemm: unset %s\n", *variable);
      std::exit(2);
    }
  }
}

int run(int argc, char** argv) {
  std::size_t n_pairs = 11;
  std::vector<std::size_t> d_models = {128, 256, 384, 512, 768, 1024};
  std::vector<std::size_t> rows = {1, 8, 64, 256, 512, 4096};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--pairs") n_pairs = numbers(argv[i + 1]).front();
    if (option == "--d-model") d_models = numbers(argv[i + 1]);
    if (option == "--rows") rows = numbers(argv[i + 1]);
  }
  refuse_overrides();
  const kernels::FlushDenormals flush;
  std::printf("#K\tN\trows\tshare_of_peak");
  for (const auto& peer : make_gemm_peers({16, 16, 16}, random_values(256).data()))
    std::printf("\t%s", peer->name());
  std::printf("\tverdict\n");
  std::size_t n_slower = 0;
  for (const std::size_t d : d_models) {
    const std::size_t r = (d + 15) / 16;
    for (const std::size_t M : rows) {
      for (const GemmShape& shape : {GemmShape{d, 4 * d, M}, GemmShape{2 * d, r + 32, M},
                                     GemmShape{r, 2 * d, M}, GemmShape{2 * d, d, M}})
        n_slower += compare(shape, n_pairs) ? 0U : 1U;
    }
  }
  std::printf("#%zu shapes slower than 0.97 of the best library\n", n_slower);
  return 0;
}

}  // namespace
}  // namespace genomamba::bench

int main(int argc, char** argv) {
  return genomamba::bench::run(argc, argv);
}
