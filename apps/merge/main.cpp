// SPDX-License-Identifier: MIT
// genomamba-merge: outputs of shards to one.
#include "common/run_main.hpp"
#include "genomamba/io/output_file.hpp"
#include "merge/options.hpp"
#include "merge/run.hpp"

int main(int argc, char** argv) {
  genomamba::apps::merge::Options options;
  return genomamba::apps::run_main(
      argc, argv,
      {.name = "genomamba-merge",
       .summary =
           "Outputs of shards put together, as one run over all shards would have written them",
       .add_options = [&options](CLI::App& app) { options.add_to(app); },
       .run = [&options] { return genomamba::apps::merge::run(options); },
       .cleanup = genomamba::io::remove_temporary_files});
}
