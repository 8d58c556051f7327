// SPDX-License-Identifier: MIT
// genomamba-bench: what this machine can do, and how near the kernels and a model come to it.
#include "bench/options.hpp"
#include "bench/run.hpp"
#include "common/run_main.hpp"

int main(int argc, char** argv) {
  genomamba::apps::bench::Options options;
  return genomamba::apps::run_main(
      argc, argv,
      {.name = "genomamba-bench",
       .summary = "Measure this machine, the kernels on it, and a model's tokens a second",
       .add_options = [&options](CLI::App& app) { options.add_to(app); },
       .run = [&options] { return genomamba::apps::bench::run(options); }});
}
