// SPDX-License-Identifier: MIT
// genomamba-model: look at a model, check it against expected outputs, make a random one.
#include "common/run_main.hpp"
#include "genomamba/io/output_file.hpp"
#include "model/options.hpp"
#include "model/run.hpp"

int main(int argc, char** argv) {
  genomamba::apps::model_app::Options options;
  return genomamba::apps::run_main(
      argc, argv,
      {.name = "genomamba-model",
       .summary = "Look at a model, check it against expected outputs, make a random one",
       .add_options = [&options](CLI::App& app) { options.add_to(app); },
       .run = [&options] { return genomamba::apps::model_app::run(options); },
       .cleanup = genomamba::io::remove_temporary_files});
}
