// SPDX-License-Identifier: MIT
#include "bench/options.hpp"

#include "bench/kernel_cases.hpp"
#include "common/whole_number.hpp"

namespace genomamba::apps::bench {

void Options::add_to(CLI::App& app) {
  app.add_flag("--kernels", kernels, "Measure each kernel over the shapes of published models");
  app.add_option("--only", only, "With --kernels: these alone, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(kernel_names()))
      ->needs("--kernels");
  app.add_option("-m,--model", model,
                 "Measure this model end to end: a directory, a bundled model's name, or "
                 "hf:ORG/NAME[@REV] (without --kernels: GENOMAMBA_MODEL, else the bundled model)");
  app.add_flag("--json", json, "As JSON");
  app.add_flag("--quick", quick, "Few shapes, short runs: figures are rough");
  app.add_option("--seconds", seconds,
                 "About this long for one run of one input shape of a model; a longest read that "
                 "would take more than four times that is cut")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  app.add_option("--runs", runs, "Runs of each input shape: the best and the median are shown")
      ->check(whole_number() & CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("-@,-t,--threads", threads,
                 "Measure with 1, 2, 4 ... up to this many threads (default: GENOMAMBA_THREADS, "
                 "SLURM_CPUS_PER_TASK, OMP_NUM_THREADS, else every core allowed)");
  app.add_option("--isa", isa, "Kernels: auto, baseline, avx2, avx512, neon, ref")
      ->capture_default_str();
  app.footer(
      "Every figure stands beside the machine's own peak, measured between the runs: of the two,\n"
      "the ratio is what other jobs on the machine disturb least.\n\n"
      "Examples:\n"
      "  genomamba bench -m small-random\n"
      "  genomamba bench --kernels --only selective_scan,linear\n"
      "  genomamba bench --kernels -m MODEL --json > bench.json");
}

}  // namespace genomamba::apps::bench
