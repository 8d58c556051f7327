// SPDX-License-Identifier: MIT
#include "score/options.hpp"

#include <map>

#include "common/option_values.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::apps::score {
namespace {

using pipeline::ScoreKind;
using pipeline::ScoreMethod;
using pipeline::ScoreStrand;

const std::map<std::string, ScoreKind> kKinds = {
    {"logp", ScoreKind::kLogp}, {"entropy", ScoreKind::kEntropy}, {"probs", ScoreKind::kProbs}};
const std::map<std::string, ScoreMethod> kMethods = {{"causal", ScoreMethod::kCausal},
                                                     {"masked", ScoreMethod::kMasked},
                                                     {"unmasked", ScoreMethod::kUnmasked}};
const std::map<std::string, ScoreStrand> kStrands = {{"forward", ScoreStrand::kForward},
                                                     {"reverse", ScoreStrand::kReverse},
                                                     {"mean", ScoreStrand::kMean},
                                                     {"bed", ScoreStrand::kBed}};

std::vector<ScoreKind> parse_kinds(const std::string& text) {
  std::vector<ScoreKind> kinds;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto found = kKinds.find(text.substr(begin, end - begin));
    if (found == kKinds.end())
      throw UsageError("--score " + text + ": a list of logp, entropy, probs is wanted");
    kinds.push_back(found->second);
    begin = end + 1;
  }
  return kinds;
}

void add_scoring(CLI::App& app, Options& options) {
  const std::string group = "Scoring";
  app.add_option("--score", options.kinds,
                 "Comma list of logp (natural logarithm of the reference base's probability), "
                 "entropy (of A, C, G, T, in "
                 "bits), probs (all four)")
      ->capture_default_str()
      ->group(group);
  app.add_option("--method", options.method,
                 "causal (from the bases before), masked (each base hidden), unmasked (one pass: "
                 "the model sees the base that "
                 "it scores, so the value is a reconstruction score, logp_seen) (default: by the "
                 "model, causal or masked)")
      ->check(CLI::IsMember(keys(kMethods)))
      ->group(group);
  app.add_option("--strand", options.strand,
                 "forward; reverse (from the other strand); mean (of both log-probabilities); bed "
                 "(column 6)")
      ->check(CLI::IsMember(keys(kStrands)))
      ->capture_default_str()
      ->group(group);
  app.add_option("--context", options.context,
                 "Causal: bases read before a region and not reported, or whole: from the contig's "
                 "first base on "
                 "(default: 4096)")
      ->group(group);
  app.add_option("--mask-spacing", options.mask_spacing,
                 "Masked: every K-th position is hidden in one of K passes; 0: one position at a "
                 "time, exact and slow "
                 "(default: 8)")
      ->group(group);
  app.add_option("--window", options.score.window,
                 "Bidirectional: bases of a window (default: the model's trained length)")
      ->group(group);
  app.add_option("--overlap", options.overlap,
                 "Bidirectional: bases that windows share (default: a quarter)")
      ->group(group);
  app.add_option("--overlap-check", options.score.overlap_check,
                 "Bidirectional: score N random places once more with a doubled overlap, and "
                 "report the largest difference")
      ->group(group);
}

void add_outputs(CLI::App& app, Options& options) {
  const std::string group = "Output";
  app.add_option(
         "-o,--tsv", options.tsv,
         "Table; .gz is BGZF with an index; - is stdout (default, if nothing else is named)")
      ->group(group);
  app.add_option(
         "--bedgraph", options.bedgraph,
         "Track as text; {score} in the name for several scores; .gz is indexed; - is stdout")
      ->group(group);
  app.add_option("--bigwig", options.bigwig,
                 "Track with zoom levels; {score} in the name for several scores")
      ->group(group);
  app.add_option("--npy", options.npy,
                 "float32 matrix [positions, values], and its row table of regions")
      ->group(group);
  app.add_option("--precision", options.precision, "Decimals in text and bigWig")
      ->check(CLI::Range(0, 9))
      ->capture_default_str()
      ->group(group);
  app.add_flag("--no-version", options.no_version, "No ## provenance lines in the outputs")
      ->group(group);
}

}  // namespace

void Options::add_to(CLI::App& app) {
  const std::string group = "Reference and regions";
  app.add_option("-f,--reference", reference, "FASTA, plain or BGZF")->required()->group(group);
  app.add_option("-r,--region", regions,
                 "CONTIG or CONTIG:START-END, 1-based, both included; may be given often")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option(
         "-R,--regions", bed_paths,
         "BED (0-based half-open); may be given often; without regions: the whole reference")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--fai", fai, "Index of the FASTA, if it is not beside it")->group(group);
  app.add_flag("--clip", clip,
               "Shorten regions that reach past the contig's end instead of stopping")
      ->group(group);
  add_scoring(app, *this);
  add_outputs(app, *this);
  model.add_to(app);
  runtime.add_to(app);
  app.footer(
      "Columns: contig start end ref region, then the scores; 0-based half-open. A position "
      "without a value has '.'.\n"
      "Examples:\n"
      "  genomamba score -f genome.fa -r chr1:1,001-2,000                   TSV on stdout\n"
      "  genomamba score -f genome.fa -R genes.bed --score logp,entropy -o genes.tsv.gz\n"
      "  genomamba score -f genome.fa --context whole --bigwig logp.bw --bedgraph "
      "logp.bedgraph.gz");
}

void Options::validate() {
  score.kinds = parse_kinds(kinds);
  if (!method.empty()) score.method = kMethods.at(method);
  score.strand = kStrands.at(strand);
  score.letters = model.letter_policy();
  if (context == "whole") {
    score.whole_context = true;
  } else if (!context.empty()) {
    score.context = parse_number<std::uint64_t>(context, "--context");
  }
  if (!mask_spacing.empty())
    score.mask_spacing = parse_number<std::size_t>(mask_spacing, "--mask-spacing");
  if (!overlap.empty()) score.overlap = parse_number<std::size_t>(overlap, "--overlap");
  if (!runtime.memory.empty()) score.memory_bytes = parse_size(runtime.memory, "--memory");
  if (tsv.empty() && bedgraph.empty() && bigwig.empty() && npy.empty()) tsv = "-";
  if (tsv == "-" && bedgraph == "-") throw UsageError("stdout (-) takes one output only");
  if (bigwig == "-") throw UsageError("a bigWig needs a file name: --bigwig NAME.bw");
  if (npy == "-") throw UsageError("an .npy needs a file name: --npy NAME.npy");
}

}  // namespace genomamba::apps::score
