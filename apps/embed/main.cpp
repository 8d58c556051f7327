// SPDX-License-Identifier: MIT
// genomamba-embed: sequences to vectors.
#include "common/run_main.hpp"
#include "embed/options.hpp"
#include "embed/run.hpp"
#include "genomamba/io/output_file.hpp"

int main(int argc, char** argv) {
  genomamba::apps::embed::Options options;
  return genomamba::apps::run_main(
      argc, argv,
      {.name = "genomamba-embed",
       .summary = "One vector a read or contig, from FASTA, FASTQ, SAM, BAM or CRAM",
       .add_options = [&options](CLI::App& app) { options.add_to(app); },
       .run = [&options] { return genomamba::apps::embed::run(options); },
       .cleanup = genomamba::io::remove_temporary_files});
}
