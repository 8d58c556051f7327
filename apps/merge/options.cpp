// SPDX-License-Identifier: MIT
#include "merge/options.hpp"

namespace genomamba::apps::merge {

void Options::add_to(CLI::App& app) {
  app.add_option(
         "SHARD", shards,
         "Outputs of genomamba score, one a shard, all of one kind: TSV, bedGraph, .npy; or VCF")
      ->required();
  app.add_option("-o,--output", output,
                 "Output of the same kind; .gz is BGZF with an index; - is stdout (text)")
      ->required();
  app.add_option(
      "--bigwig", bigwig,
      "Also a bigWig, from TSV or bedGraph shards; {score} in the name for several scores");
  app.add_option("--fai", fai,
                 "Order and lengths of contigs, for shards that genomamba split did not make");
  app.add_flag("-q,--quiet", quiet, "Warnings and errors only");
  app.footer(
      "Version, model and options of all shards must agree; shards of genomamba split must all be "
      "there, once.\n"
      "Example:\n"
      "  genomamba merge -o all.tsv.gz --bigwig all.bw shards/*.tsv.gz");
}

}  // namespace genomamba::apps::merge
