// SPDX-License-Identifier: MIT
// genomamba-split: regions to shards.
#include "common/run_main.hpp"
#include "genomamba/io/output_file.hpp"
#include "split/options.hpp"
#include "split/run.hpp"

int main(int argc, char** argv) {
  genomamba::apps::split::Options options;
  return genomamba::apps::run_main(
      argc, argv,
      {.name = "genomamba-split",
       .summary = "Regions to N BED files of like size, for genomamba score side by side; "
                  "genomamba merge joins the outputs",
       .add_options = [&options](CLI::App& app) { options.add_to(app); },
       .run = [&options] { return genomamba::apps::split::run(options); },
       .cleanup = genomamba::io::remove_temporary_files});
}
