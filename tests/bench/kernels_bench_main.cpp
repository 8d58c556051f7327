// SPDX-License-Identifier: MIT
// main() of the kernel benchmarks: denormals flushed as in the apps, the ISA named in the context.
#include <benchmark/benchmark.h>

#include <string>

#include "genomamba/kernels/flush_denormals.hpp"
#include "genomamba/kernels/isa.hpp"

int main(int argc, char** argv) {
  const genomamba::kernels::FlushDenormals flush;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::AddCustomContext(
      "isa", std::string(genomamba::kernels::to_string(genomamba::kernels::active_isa())));
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
