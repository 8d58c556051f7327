// SPDX-License-Identifier: MIT
// genomamba-score: positions of a reference to values.
#include "common/run_main.hpp"
#include "genomamba/io/output_file.hpp"
#include "score/options.hpp"
#include "score/run.hpp"

int main(int argc, char** argv) {
  genomamba::apps::score::Options options;
  return genomamba::apps::run_main(
      argc, argv,
      {.name = "genomamba-score",
       .summary = "A value a position: log-probability, entropy or probabilities along regions or "
                  "a whole reference",
       .add_options = [&options](CLI::App& app) { options.add_to(app); },
       .run = [&options] { return genomamba::apps::score::run(options); },
       .cleanup = genomamba::io::remove_temporary_files});
}
