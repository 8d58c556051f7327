// SPDX-License-Identifier: MIT
#include "variants/options.hpp"

#include <cmath>
#include <map>

#include "common/option_values.hpp"
#include "common/whole_number.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::apps::variants {
namespace {

using io::VariantFormat;
using pipeline::VariantConvention;
using pipeline::VariantStrand;

const std::map<std::string, VariantConvention> kConventions = {
    {"centred", VariantConvention::kCentred}, {"plantcad", VariantConvention::kPlantcad}};
const std::map<std::string, VariantStrand> kStrands = {{"forward", VariantStrand::kForward},
                                                       {"reverse", VariantStrand::kReverse},
                                                       {"mean", VariantStrand::kMean}};
const std::map<std::string, VariantFormat> kFormats = {{"v", VariantFormat::kVcf},
                                                       {"z", VariantFormat::kVcfGz},
                                                       {"b", VariantFormat::kBcf},
                                                       {"u", VariantFormat::kRawBcf}};

void add_inputs(CLI::App& app, Options& options) {
  const std::string group = "Variants and reference";
  app.add_option("INPUT", options.input,
                 "VCF or BCF: plain, gzip or BGZF, sorted or not; - is stdin")
      ->group(group);
  app.add_option("-f,--reference", options.reference, "FASTA, plain or BGZF")
      ->required()
      ->group(group);
  app.add_option("--fai", options.fai, "Index of the FASTA, if it is not beside it")->group(group);
  app.add_option("-r,--region", options.regions,
                 "Only records whose POS lies in CONTIG or CONTIG:START-END, 1-based, both "
                 "included; may be given often")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("-R,--regions", options.bed_paths,
                 "Only records whose POS lies in a region of this BED (0-based half-open)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--saturation", options.saturation,
                 "Instead of INPUT: every possible SNV of CONTIG or CONTIG:START-END; may be given "
                 "often")
      ->allow_extra_args(false)
      ->group(group);
}

void add_scoring(CLI::App& app, Options& options) {
  const std::string group = "Scoring";
  app.add_option("--window", options.variants.window,
                 "Bases that the model sees of a haplotype (default: causal 1024; bidirectional "
                 "the model's trained length, at most 8192)")
      ->check(whole_number())
      ->group(group);
  app.add_option("--convention", options.convention,
                 "centred: the first changed base at index W/2 of the window, which is cut at the "
                 "contig's ends; plantcad: window 512, index W/2-1, N beyond the ends, as "
                 "PlantCaduceus' scripts do")
      ->check(CLI::IsMember(keys(kConventions)))
      ->capture_default_str()
      ->group(group);
  app.add_option("--strand", options.strand,
                 "forward; reverse (read from the other strand); mean (of both scores; for "
                 "RC-equivariant models forward is both)")
      ->check(CLI::IsMember(keys(kStrands)))
      ->capture_default_str()
      ->group(group);
  app.add_option("--flank", options.flank,
                 "Bidirectional, where more than one base changes: positions behind the longer "
                 "allele that are summed too (default: 8)")
      ->group(group);
  app.add_option("--converge", options.converge,
                 "Causal: stop reading an alternative haplotype where no number of its state "
                 "differs from the reference's by more than EPS times the largest one of its "
                 "layer (looked at every 64 bases); default: read to the window's end")
      ->group(group);
}

void add_outputs(CLI::App& app, Options& options) {
  const std::string group = "Output";
  app.add_option("-o,--output", options.output,
                 "VCF or BCF by its extension: .vcf, .vcf.gz, .bcf; - is stdout (default)")
      ->group(group);
  app.add_option("-O,--output-type", options.output_type,
                 "v: VCF, z: BGZF VCF, b: BCF, u: uncompressed BCF; overrides the extension")
      ->check(CLI::IsMember(keys(kFormats)))
      ->group(group);
  app.add_flag("--write-index", options.write_index,
               "An index beside the output: .tbi (.csi for contigs longer than 2^29), of BCF .csi")
      ->group(group);
  app.add_option("--table", options.table,
                 "Table, one row an ALT: contig pos id ref alt llr skip; .gz is BGZF")
      ->group(group);
  app.add_option("--npy", options.npy,
                 "--saturation: float32 matrix [positions, A C G T] of scores, 0 for the reference "
                 "base, NaN where there is none, and its row table of regions")
      ->group(group);
  app.add_flag("--no-version", options.no_version, "No ## provenance lines in the outputs")
      ->group(group);
  app.add_flag("--strict", options.strict, "Exit 1 if an ALT got no score")->group(group);
}

}  // namespace

void Options::add_to(CLI::App& app) {
  add_inputs(app, *this);
  add_scoring(app, *this);
  add_outputs(app, *this);
  model.add_to(app);
  app.get_option("--model")->description(
      "A model directory, a weight file in one, a bundled model's name, or hf:ORG/NAME[@REV] in "
      "the local Hugging Face cache (default: GENOMAMBA_MODEL; there is no other)");
  runtime.add_to(app);
  app.footer(
      "Every record comes out, in order, with INFO/GM_LLR = ln P(ALT) - ln P(REF), one an ALT, or "
      "with the\n"
      "reason in INFO/GM_SKIP: ref_mismatch symbolic breakend star no_alt n_window too_long "
      "not_acgt contig_missing.\n"
      "Examples:\n"
      "  genomamba variants -m MODEL -f genome.fa calls.vcf.gz -o scored.vcf.gz --write-index\n"
      "  genomamba variants -m PlantCaduceus_l20 -f genome.fa --convention plantcad in.bcf -O b -o "
      "out.bcf\n"
      "  genomamba variants -m microbe-causal -f genome.fa --saturation chr1:1,001-2,000 -o s.vcf "
      "--npy s.npy");
}

void Options::validate() {
  if (saturation.empty() == input.empty()) {
    throw UsageError(input.empty() ? "INPUT is missing: a VCF or BCF, or --saturation REGION"
                                   : "INPUT and --saturation exclude each other");
  }
  if (!saturation.empty() && !(regions.empty() && bed_paths.empty())) {
    throw UsageError("-r and -R choose records of INPUT; --saturation may be given often");
  }
  if (saturation.empty() && !npy.empty()) throw UsageError("--npy needs --saturation");
  if (npy == "-") throw UsageError("an .npy needs a file name: --npy NAME.npy");
  if (output.empty() && npy.empty()) output = "-";
  if (output.empty() && (write_index || !output_type.empty())) {
    throw UsageError("-O and --write-index need -o");
  }
  if (output == "-" && table == "-") throw UsageError("stdout (-) takes one output only");
  variants.convention = kConventions.at(convention);
  variants.strand = kStrands.at(strand);
  variants.letters = model.letter_policy();
  if (!flank.empty()) variants.flank = parse_number<std::size_t>(flank, "--flank");
  if (!converge.empty()) {
    variants.converge = parse_number<float>(converge, "--converge");
    if (!std::isfinite(*variants.converge)) {
      throw UsageError("--converge " + converge + ": a number from 0 is wanted");
    }
  }
  if (!runtime.memory.empty()) variants.memory_bytes = parse_size(runtime.memory, "--memory");
  (void)format();
}

io::VariantFormat Options::format() const {
  if (!output_type.empty()) return kFormats.at(output_type);
  const std::string name = output.substr(output.rfind('/') + 1);
  if (name.ends_with(".vcf.gz") || name.ends_with(".vcf.bgz")) return VariantFormat::kVcfGz;
  if (name.ends_with(".bcf")) return VariantFormat::kBcf;
  const bool has_no_extension = name.find('.') == std::string::npos || name.rfind('.') == 0;
  if (has_no_extension || name.ends_with(".vcf") || output.starts_with("/dev/")) {
    return VariantFormat::kVcf;
  }
  throw UsageError("-o " + output + ": unknown extension (.vcf, .vcf.gz, .bcf); -O says otherwise");
}

}  // namespace genomamba::apps::variants
