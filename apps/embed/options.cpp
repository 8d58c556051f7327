// SPDX-License-Identifier: MIT
#include "embed/options.hpp"

#include <charconv>
#include <map>
#include <optional>

#include "common/option_values.hpp"
#include "common/whole_number.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::apps::embed {
namespace {

using pipeline::Pairing;
using pipeline::Pool;
using pipeline::RowsPer;
using pipeline::Strand;

const std::map<std::string, Pool> kPools = {{"mean", Pool::kMean},
                                            {"max", Pool::kMax},
                                            {"first", Pool::kFirst},
                                            {"last", Pool::kLast},
                                            {"none", Pool::kNone}};
const std::map<std::string, Strand> kStrands = {{"forward", Strand::kForward},
                                                {"reverse", Strand::kReverse},
                                                {"mean", Strand::kMean},
                                                {"concat", Strand::kConcat}};

std::size_t parse_layer(const std::string& text) {
  if (text == "last") return model::kLastLayer;
  std::size_t layer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), layer);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw UsageError("--layer " + text + ": last, or a number from 0 is wanted");
  }
  return layer;
}

std::uint16_t parse_flags(const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 0);
  if (text.empty() || *end != '\0' || value < 0 || value > 0xffff) {
    throw UsageError("--exclude-flags " + text + ": a number from 0 to 65535 is wanted");
  }
  return static_cast<std::uint16_t>(value);
}

}  // namespace

void Options::add_to(CLI::App& app) {
  app.add_option("INPUT", embed.inputs,
                 "FASTA, FASTQ, SAM, BAM, CRAM; plain, gzip, BGZF, zstd; - is stdin");
  model.add_to(app);
  output.add_to(app, {"npy", "h5ad", "tsv"});
  runtime.add_to(app);

  const std::string group = "Embedding";
  app.add_option("--pool", pool,
                 "How token vectors become one: mean, max, first, last; none: a row a token")
      ->check(CLI::IsMember(keys(kPools)))
      ->capture_default_str()
      ->group(group);
  app.add_option("--layer", layer,
                 "last (after the final norm) or 0..n_layer-1 (block output, residual added)")
      ->capture_default_str()
      ->group(group);
  app.add_option(
         "--strand", strand,
         "forward, reverse, mean or concat (default: forward; RC-equivariant models: concat)")
      ->check(CLI::IsMember(keys(kStrands)))
      ->group(group);
  app.add_option("--window", embed.window, "Cut longer records into windows of this many bases")
      ->check(whole_number())
      ->group(group);
  app.add_option("--overlap", embed.overlap, "Bases that a window shares with the one before")
      ->check(whole_number())
      ->group(group);
  app.add_option("--rows", rows, "record: one row a record; window: one row a window")
      ->check(CLI::IsMember({"record", "window"}))
      ->capture_default_str()
      ->group(group);
  app.add_flag("--special-tokens", embed.special_tokens,
               "Put the tokenizer's special tokens around a sequence (not pooled)")
      ->group(group);
  app.add_option("--batch-tokens", embed.batch_tokens,
                 "Tokens computed together; never changes the result")
      ->check(whole_number())
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 30))
      ->group(group);
  app.add_option("--dtype", dtype, "Numbers of a .npy: f32, f16")
      ->check(CLI::IsMember({"f32", "f16"}))
      ->capture_default_str()
      ->group(group);

  const std::string records = "Records";
  app.add_option("--min-length", embed.min_length, "Filter shorter records")
      ->check(whole_number())
      ->capture_default_str()
      ->group(records);
  app.add_option("--max-length", embed.max_length, "Filter longer records")
      ->check(whole_number())
      ->group(records);
  app.add_option("--exclude-flags", exclude_flags, "Filter alignments with any of these SAM flags")
      ->capture_default_str()
      ->group(records);
  app.add_flag("--pairs", pairs, "INPUT are mates in two files; one row a pair")->group(records);
  app.add_flag("--interleaved", interleaved, "INPUT holds mates in turn; one row a pair")
      ->group(records);
  app.add_option("-f,--reference", embed.reference_path,
                 "FASTA that a CRAM was written against, or that regions are taken from")
      ->group(records);
  app.add_option("-r,--region", embed.regions,
                 "Embed this region of -f (contig:start-end, 1-based inclusive) instead of INPUT; "
                 "may be repeated")
      ->allow_extra_args(false)
      ->group(records);
  app.add_option("-R,--regions", embed.regions_path,
                 "Embed the regions of a BED instead of INPUT: one row a region")
      ->group(records);
  app.add_flag("--clip", embed.clip_regions,
               "Shorten regions that reach past their contig's end, instead of an error")
      ->group(records);
  app.add_option("--tracks", tracks_path,
                 "For six-track models (Orthrus), which need it: lines of id, cds_start, cds_end, "
                 "exon_ends (0-based half-open, exon_ends a comma list), tab-separated, . for none")
      ->group(records);
  app.add_flag("--strict", strict, "Exit 1 if a record was filtered or could not be embedded")
      ->group(records);
  app.add_option("--resume", resume_path,
                 "Keep finished vectors in this file, and go on from it when a run was "
                 "interrupted; removed on success")
      ->group("Running");
  app.footer(
      "Examples:\n"
      "  genomamba embed reads.fq.gz -o reads.npy        vectors and reads.rows.tsv.gz\n"
      "  genomamba embed --pool max contigs.fa           TSV on stdout\n"
      "  genomamba embed --pairs r1.fq r2.fq -o pairs.npy --report run.json");
}

void Options::validate() {
  embed.pool = kPools.at(pool);
  embed.layer = parse_layer(layer);
  embed.exclude_flags = parse_flags(exclude_flags);
  embed.rows = rows == "window" ? RowsPer::kWindow : RowsPer::kRecord;
  embed.letters = model.letter_policy();
  if (pairs && interleaved) throw UsageError("--pairs and --interleaved exclude each other");
  embed.pairing = pairs         ? Pairing::kTwoFiles
                  : interleaved ? Pairing::kInterleaved
                                : Pairing::kSingle;
  if (!strand.empty()) embed.strand = kStrands.at(strand);
  if (!runtime.memory.empty()) embed.memory_bytes = parse_size(runtime.memory, "--memory");
  if (output.resolved_format() == "h5ad") {
    throw UsageError("-o " + output.path + ": this build writes npy and tsv");
  }
  if (output.resolved_format() == "npy" && output.path == "-") {
    throw UsageError("an .npy needs a file name: -o NAME.npy");
  }
}

}  // namespace genomamba::apps::embed
