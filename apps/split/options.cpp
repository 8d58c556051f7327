// SPDX-License-Identifier: MIT
#include "split/options.hpp"

namespace genomamba::apps::split {

void Options::add_to(CLI::App& app) {
  constexpr std::size_t kMostShards = 100000;
  app.add_option("-f,--reference", reference, "FASTA, plain or BGZF")->required();
  app.add_option("-R,--regions", bed_paths,
                 "BED; may be given often (default: the whole reference)")
      ->allow_extra_args(false);
  app.add_option("-n,--shards", n_shards, "Number of shards; empty ones are valid")
      ->required()
      ->check(CLI::Range(std::size_t{1}, kMostShards));
  app.add_option("--max-piece", max_piece, "Cut regions that are longer than this many bases")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
  app.add_option("-o,--output", directory,
                 "Folder of 1-of-N.bed ... N-of-N.bed; made if it is not there")
      ->required();
  app.add_option("--fai", fai, "Index of the FASTA, if it is not beside it");
  app.add_flag("--clip", clip,
               "Shorten regions that reach past the contig's end instead of stopping");
  app.add_flag("-q,--quiet", quiet, "Warnings and errors only");
  app.footer(
      "The shards one after the other are the regions sorted by contig and start. A piece is "
      "scored as a region of its\n"
      "own, with its own context.\n"
      "Example:\n"
      "  genomamba split -f genome.fa -n 7 --max-piece 1000000 -o shards");
}

}  // namespace genomamba::apps::split
