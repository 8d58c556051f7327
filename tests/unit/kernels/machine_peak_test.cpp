// SPDX-License-Identifier: MIT
#include "genomamba/kernels/machine_peak.hpp"

#include <cmath>

#include "catch.hpp"
#include "kernel_test_support.hpp"

namespace genomamba::kernels {
namespace {

TEST_CASE("machine_peak: gives figures for every ISA, whatever else the machine does", "[peak]") {
  for (const Isa isa : test::supported_isas()) {
    INFO(to_string(isa));
    const test::UseIsa use(isa);
    const double gflops = measure_fma_gflops(0.2);
    CHECK(gflops > 0.0);
    CHECK(std::isfinite(gflops));
    const double through_executor = measure_fma_gflops(serial_executor(), 0.2);
    CHECK(through_executor > 0.0);
    CHECK(std::isfinite(through_executor));
    CHECK(fma_flops() >= 8);
    const double gbps = measure_read_gbps(65536, 0.2);
    CHECK(gbps > 0.0);
    CHECK(std::isfinite(gbps));
  }
}

}  // namespace
}  // namespace genomamba::kernels
