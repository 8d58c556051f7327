// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/core_executor.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "catch.hpp"
#include "genomamba/kernels/selective_scan.hpp"

using genomamba::pipeline::CoreExecutor;

TEST_CASE("CoreExecutor runs each piece once, and an exception comes out") {
  for (const std::size_t n_threads : {1U, 2U, 5U}) {
    CoreExecutor executor(n_threads);
    CHECK(executor.concurrency() == n_threads);
    std::vector<std::atomic<int>> calls(1000);
    executor.parallel_for(calls.size(), [&](std::size_t i) { ++calls[i]; });
    for (const auto& n : calls)
      REQUIRE(n == 1);
    CHECK_THROWS_AS(executor.parallel_for(50,
                                          [](std::size_t i) {
                                            if (i == 20) throw std::runtime_error("piece");
                                          }),
                    std::runtime_error);
  }
}

TEST_CASE("The selective scan on several threads has the bits of one") {
  constexpr std::size_t kLength = 50;
  constexpr std::size_t kInner = 300;
  constexpr std::size_t kState = 4;
  std::vector<float> u(kLength * kInner);
  for (std::size_t i = 0; i < u.size(); ++i)
    u[i] = static_cast<float>(i * 37 % 101) / 50.0F - 1.0F;
  const std::vector<float> A(kInner * kState, -0.5F);
  genomamba::kernels::SelectiveScanArgs args = {.seqlen = kLength,
                                                .d_inner = kInner,
                                                .d_state = kState,
                                                .channel_begin = 0,
                                                .channel_end = kInner,
                                                .u = u.data(),
                                                .u_stride = kInner,
                                                .delta = u.data(),
                                                .delta_stride = kInner,
                                                .A = A.data(),
                                                .B = u.data(),
                                                .B_stride = kState,
                                                .C = u.data() + 7,
                                                .C_stride = kState,
                                                .delta_softplus = true};
  std::vector<float> expected(u.size());
  args.out = expected.data();
  args.out_stride = kInner;
  genomamba::kernels::selective_scan(args);
  for (const std::size_t n_threads : {1U, 2U, 3U}) {
    CoreExecutor executor(n_threads);
    std::vector<float> found(u.size());
    args.out = found.data();
    genomamba::kernels::selective_scan(args, executor);
    CHECK(found == expected);
  }
}
