// SPDX-License-Identifier: MIT
// genomamba-report: a page to look at, from what the other apps wrote.
#include "common/run_main.hpp"
#include "genomamba/io/output_file.hpp"
#include "report/options.hpp"
#include "report/run.hpp"

int main(int argc, char** argv) {
  genomamba::apps::report::Options options;
  return genomamba::apps::run_main(
      argc, argv,
      {.name = "genomamba-report",
       .summary = "One HTML page with figures and tables of embeddings, scores, variants and runs",
       .add_options = [&options](CLI::App& app) { options.add_to(app); },
       .run = [&options] { return genomamba::apps::report::run(options); },
       .cleanup = genomamba::io::remove_temporary_files});
}
