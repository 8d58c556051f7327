// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <string>

#include "catch.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/kernels/activations.hpp"
#include "genomamba/kernels/flush_denormals.hpp"
#include "genomamba/kernels/isa.hpp"
#include "kernel_table.hpp"
#include "kernel_test_support.hpp"
#include "self_check.hpp"

namespace genomamba::kernels {
namespace {

TEST_CASE("isa: names go to and fro", "[isa]") {
  for (const Isa isa : {Isa::kRef, Isa::kBaseline, Isa::kAvx2, Isa::kAvx512, Isa::kNeon}) {
    CHECK(parse_isa(to_string(isa)) == isa);
  }
  CHECK_FALSE(parse_isa("auto").has_value());
  CHECK_FALSE(parse_isa("").has_value());
  CHECK_FALSE(parse_isa("AVX2").has_value());
}

TEST_CASE("isa: the forced kernels are the ones that run", "[isa]") {
  for (const Isa isa : test::supported_isas()) {
    const test::UseIsa use(isa);
    CHECK(active_isa() == isa);
    CHECK(std::string(active_table().name) == std::string(to_string(isa)));
  }
  // Not only the name: two tables never share a kernel.
  const auto isas = test::supported_isas();
  for (std::size_t i = 1; i < isas.size(); ++i) {
    select_isa(isas[i - 1]);
    const auto former = active_table().selective_scan;
    select_isa(isas[i]);
    CHECK(active_table().selective_scan != former);
  }
  select_isa(std::nullopt);
}

TEST_CASE("isa: auto takes the best that has been run", "[isa]") {
  select_isa(std::nullopt);
  CHECK(active_isa() == best_isa());
  CHECK(is_supported(best_isa()));
  CHECK(best_isa() != Isa::kAvx512);
  CHECK(is_supported(Isa::kRef));
}

TEST_CASE("isa: what this machine cannot run is a usage error", "[isa]") {
#if defined(__x86_64__)
  CHECK_FALSE(is_supported(Isa::kNeon));
  CHECK_THROWS_AS(select_isa(Isa::kNeon), UsageError);
#else
  CHECK_FALSE(is_supported(Isa::kAvx2));
  CHECK_THROWS_AS(select_isa(Isa::kAvx2), UsageError);
#endif
}

TEST_CASE("isa: the self-check finds a wrong kernel and is fast", "[isa]") {
  for (const Isa isa : test::supported_isas()) {
    const test::UseIsa use(isa);
    CHECK_FALSE(find_wrong_kernel(active_table()).has_value());
    KernelTable broken = active_table();
    broken.silu = broken.exp;
    CHECK(find_wrong_kernel(broken) == "silu");
    broken = active_table();
    broken.linear = [](const LinearCall&) noexcept {};
    CHECK(find_wrong_kernel(broken) == "linear");
    broken = active_table();
    broken.selective_scan = [](const ScanCall&) noexcept {};
    CHECK(find_wrong_kernel(broken) == "selective_scan");
  }
}

TEST_CASE("isa: FlushDenormals works and ends", "[isa]") {
#if defined(__x86_64__) || defined(__aarch64__)
  volatile float tiny = 0x1p-126F;
  const auto halve = [&tiny] { return tiny * 0.5F; };
  CHECK(halve() > 0.0F);
  {
    const FlushDenormals flush;
    CHECK(halve() == 0.0F);
  }
  CHECK(halve() > 0.0F);
#endif
}

}  // namespace
}  // namespace genomamba::kernels
