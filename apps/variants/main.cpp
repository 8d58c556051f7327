// SPDX-License-Identifier: MIT
// genomamba-variants: records of a VCF to log-likelihood ratios.
#include "common/run_main.hpp"
#include "genomamba/io/output_file.hpp"
#include "variants/options.hpp"
#include "variants/run.hpp"

int main(int argc, char** argv) {
  genomamba::apps::variants::Options options;
  return genomamba::apps::run_main(
      argc, argv,
      {.name = "genomamba-variants",
       .summary = "A log-likelihood ratio an ALT: VCF or BCF in, the same records with GM_LLR out",
       .add_options = [&options](CLI::App& app) { options.add_to(app); },
       .run = [&options] { return genomamba::apps::variants::run(options); },
       .cleanup = genomamba::io::remove_temporary_files});
}
