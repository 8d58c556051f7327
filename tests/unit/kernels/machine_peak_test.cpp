// SPDX-License-Identifier: MIT
#include "genomamba/kernels/machine_peak.hpp"

#include "catch.hpp"
#include "kernel_test_support.hpp"

namespace genomamba::kernels {
namespace {

TEST_CASE("machine_peak: gives plausible figures for every ISA", "[peak]") {
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const double gflops = measure_fma_gflops(0.2);
    CHECK(gflops > 0.01);
    CHECK(gflops < 2000.0);
    const double through_executor = measure_fma_gflops(serial_executor(), 0.2);
    CHECK(through_executor > 0.01);
    CHECK(through_executor < 2000.0);
    CHECK(fma_flops() >= 8);
    const double gbps = measure_read_gbps(65536, 0.2);
    CHECK(gbps > 0.01);
    CHECK(gbps < 5000.0);
  }
}

}  // namespace
}  // namespace genomamba::kernels
