// SPDX-License-Identifier: MIT
// The selective scan gives the same bits however time and channels are cut, in place, and in its
// packed form.
#include "catch.hpp"
#include "genomamba/kernels/linear.hpp"
#include "genomamba/kernels/selective_scan.hpp"
#include "kernel_test_support.hpp"
#include "scan_case.hpp"

namespace genomamba::kernels {
namespace {

using test::make_scan_case;
using test::run_scan;
using test::run_scan_part;
using test::same_bits;
using test::ScanCase;
using test::ScanOptions;
using test::ScanResult;

TEST_CASE("selective_scan: cut in time, the bits are those of the whole", "[scan]") {
  ScanCase c = make_scan_case(71, 75, 5);
  // Some blocks take the range-checked loop, others do not; where they begin depends on the cut.
  for (std::size_t t = 0; t < c.seqlen; t += 13)
    c.delta[t * c.stride + 3] = 80.0F;
  for (const Isa isa : test::supported_isas()) {
    const test::UseIsa use(isa);
    for (const bool reverse : {false, true}) {
      const ScanOptions options = {.initial_state = false, .reverse = reverse};
      const ScanResult whole = run_scan(c, options);
      for (const std::size_t step : std::vector<std::size_t>{1, 2, 15, 16, 17, 40}) {
        INFO(to_string(isa) << " step " << step << " reverse " << reverse);
        ScanResult parts = test::make_result(c);
        for (std::size_t t = 0; t < c.seqlen; t += step) {
          run_scan_part(c, options, t, std::min(c.seqlen, t + step), 0, c.d_inner, parts);
        }
        REQUIRE(same_bits(parts.out, whole.out));
        REQUIRE(same_bits(parts.last_state, whole.last_state));
      }
    }
  }
}

TEST_CASE("selective_scan: cut in channels, the bits are those of the whole", "[scan]") {
  ScanCase c = make_scan_case(35, 150, 6);
  c.delta[10 * c.stride + 70] = 80.0F;
  for (const Isa isa : test::supported_isas()) {
    const test::UseIsa use(isa);
    const ScanResult whole = run_scan(c);
    for (const std::size_t step : std::vector<std::size_t>{1, 3, 8, 16, 33, 64, 100}) {
      INFO(to_string(isa) << " step " << step);
      ScanResult parts = test::make_result(c);
      for (std::size_t begin = 0; begin < c.d_inner; begin += step) {
        run_scan_part(c, {}, 0, c.seqlen, begin, std::min(c.d_inner, begin + step), parts);
      }
      REQUIRE(same_bits(parts.out, whole.out));
      REQUIRE(same_bits(parts.last_state, whole.last_state));
    }
  }
}

/// The packed form over the same inputs; `out` is what it is told to write to.
void run_packed(const ScanCase& c, const ScanWeights& weights, const float* u, const float* z,
                std::size_t begin, std::size_t end, float* state, float* out) {
  selective_scan(PackedScanArgs{.weights = &weights,
                                .seqlen = c.seqlen,
                                .channel_begin = begin,
                                .channel_end = end,
                                .u = u,
                                .u_stride = c.stride,
                                .delta = c.delta.data(),
                                .delta_stride = c.stride,
                                .B = c.B.data(),
                                .B_stride = c.d_state + 1,
                                .C = c.C.data(),
                                .C_stride = c.d_state + 2,
                                .z = z,
                                .z_stride = c.stride,
                                .state = state,
                                .out = out,
                                .out_stride = c.stride});
}

TEST_CASE("selective_scan: the packed form, whole and by channel steps", "[scan]") {
  const ScanCase c = make_scan_case(35, 3 * scan_channel_step() + 11, 16);
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const ScanResult expected = run_scan(c);
    const ScanWeights weights(c.A.data(), c.D.data(), c.delta_bias.data(), c.d_inner, c.d_state);
    std::vector<float> out = test::make_result(c).out;
    run_packed(c, weights, c.u.data(), c.z.data(), 0, c.d_inner, nullptr, out.data());
    CHECK(same_bits(out, expected.out));

    std::vector<float> whole_state(weights.state_size());
    run_packed(c, weights, c.u.data(), c.z.data(), 0, c.d_inner, whole_state.data(), out.data());
    CHECK(same_bits(out, expected.out));
    std::vector<float> state(weights.state_size());
    std::fill(out.begin(), out.end(), 0.0F);
    for (std::size_t begin = 0; begin < c.d_inner; begin += scan_channel_step()) {
      run_packed(c, weights, c.u.data(), c.z.data(), begin,
                 std::min(c.d_inner, begin + scan_channel_step()), state.data(), out.data());
    }
    CHECK(same_bits(state, whole_state));
    for (std::size_t t = 0; t < c.seqlen; ++t) {
      for (std::size_t i = 0; i < c.d_inner; ++i)
        REQUIRE(out[t * c.stride + i] == expected.out[t * c.stride + i]);
    }
  }
}

TEST_CASE("selective_scan: delta from dt_r inside the strip has the bits of linear and scan",
          "[scan]") {
  for (const std::size_t d_inner : std::vector<std::size_t>{1, 16, 77, 530}) {
    for (const std::size_t dt_rank : std::vector<std::size_t>{1, 5, 16}) {
      const ScanCase c = make_scan_case(23, d_inner, 4);
      test::Rng rng(d_inner + dt_rank);
      const auto dt_r = rng.vector(c.seqlen * (dt_rank + 2));
      const auto dt_proj = rng.vector(d_inner * dt_rank);
      for (const Isa isa : test::supported_isas()) {
        for (const bool reverse : {false, true}) {
          INFO(to_string(isa) << " d_inner " << d_inner << " dt_rank " << dt_rank);
          const test::UseIsa use(isa);
          const ScanWeights weights(c.A.data(), c.D.data(), c.delta_bias.data(), d_inner, c.d_state,
                                    dt_proj.data(), dt_rank);
          ScanCase apart = c;
          linear({dt_r.data(), c.seqlen, dt_rank, dt_rank + 2},
                 PackedLinear({dt_proj.data(), d_inner, dt_rank}),
                 {apart.delta.data(), c.seqlen, d_inner, c.stride});
          PackedScanArgs args = {.weights = &weights,
                                 .seqlen = c.seqlen,
                                 .channel_begin = 0,
                                 .channel_end = d_inner,
                                 .u = c.u.data(),
                                 .u_stride = c.stride,
                                 .delta = apart.delta.data(),
                                 .delta_stride = c.stride};
          args.B = c.B.data();
          args.B_stride = c.d_state + 1;
          args.C = c.C.data();
          args.C_stride = c.d_state + 2;
          args.z = c.z.data();
          args.z_stride = c.stride;
          args.reverse = reverse;
          std::vector<float> expected(c.u.size());
          args.out = expected.data();
          args.out_stride = c.stride;
          selective_scan(args);
          std::vector<float> found(c.u.size());
          args.out = found.data();
          args.delta = nullptr;
          args.dt_r = dt_r.data();
          args.dt_r_stride = dt_rank + 2;
          selective_scan(args);
          // ref sums dt_r dt_proj in double without the rounding to float between the two.
          CHECK(test::max_error(found, expected) < 1e-5);
          CHECK((isa == Isa::kRef || same_bits(found, expected)));
        }
      }
    }
  }
}

TEST_CASE("selective_scan: recommended_stride leaves no multiple of 2 KiB", "[scan]") {
  for (std::size_t n = 1; n < 5000; ++n) {
    const std::size_t stride = recommended_stride(n);
    REQUIRE(stride >= n);
    REQUIRE(stride < n + 32);
    REQUIRE(stride % 16 == 0);
    REQUIRE(stride % 512 != 0);
  }
}

/// Says that it has several cores; takes the pieces from the last to the first and counts them.
class BackwardExecutor final : public Executor {
 public:
  explicit BackwardExecutor(std::size_t n_cores) : n_cores_(n_cores) {}
  std::size_t concurrency() const noexcept override { return n_cores_; }
  void parallel_for(std::size_t n, const std::function<void(std::size_t)>& body) override {
    n_pieces += n;
    while (n-- > 0)
      body(n);
  }
  std::size_t n_pieces = 0;

 private:
  std::size_t n_cores_;
};

TEST_CASE("selective_scan: over an executor, the bits are those of one call", "[scan]") {
  for (const std::size_t d_inner : std::vector<std::size_t>{1, 64, 200, 530}) {
    const ScanCase c = make_scan_case(19, d_inner, 5);
    const ScanResult expected = run_scan(c);
    const ScanWeights weights(c.A.data(), c.D.data(), c.delta_bias.data(), c.d_inner, c.d_state);
    for (const std::size_t n_cores : std::vector<std::size_t>{1, 2, 7}) {
      INFO("d_inner " << d_inner << " cores " << n_cores);
      BackwardExecutor executor(n_cores);
      ScanResult found = test::make_result(c);
      selective_scan(test::scan_part_args(c, {}, 0, c.seqlen, 0, d_inner, found), executor);
      CHECK(same_bits(found.out, expected.out));
      CHECK(same_bits(found.last_state, expected.last_state));
      CHECK(executor.n_pieces == std::min(2 * n_cores, (d_inner + 63) / 64));
      std::vector<float> out = test::make_result(c).out;
      selective_scan(PackedScanArgs{.weights = &weights,
                                    .seqlen = c.seqlen,
                                    .channel_begin = 0,
                                    .channel_end = d_inner,
                                    .u = c.u.data(),
                                    .u_stride = c.stride,
                                    .delta = c.delta.data(),
                                    .delta_stride = c.stride,
                                    .B = c.B.data(),
                                    .B_stride = c.d_state + 1,
                                    .C = c.C.data(),
                                    .C_stride = c.d_state + 2,
                                    .z = c.z.data(),
                                    .z_stride = c.stride,
                                    .out = out.data(),
                                    .out_stride = c.stride},
                     executor);
      CHECK(same_bits(out, expected.out));
    }
  }
}

TEST_CASE("selective_scan: in place of u and of z", "[scan]") {
  const ScanCase c = make_scan_case(35, 77, 4);
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const ScanWeights weights(c.A.data(), c.D.data(), c.delta_bias.data(), c.d_inner, c.d_state);
    std::vector<float> apart(c.u.size());
    run_packed(c, weights, c.u.data(), c.z.data(), 0, c.d_inner, nullptr, apart.data());
    std::vector<float> u = c.u;
    run_packed(c, weights, u.data(), c.z.data(), 0, c.d_inner, nullptr, u.data());
    std::vector<float> z = c.z;
    run_packed(c, weights, c.u.data(), z.data(), 0, c.d_inner, nullptr, z.data());
    for (std::size_t t = 0; t < c.seqlen; ++t) {
      for (std::size_t i = 0; i < c.d_inner; ++i) {
        REQUIRE(u[t * c.stride + i] == apart[t * c.stride + i]);
        REQUIRE(z[t * c.stride + i] == apart[t * c.stride + i]);
      }
    }
  }
}

}  // namespace
}  // namespace genomamba::kernels
