// SPDX-License-Identifier: MIT
#include "variants/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/isa_option.hpp"
#include "common/output_options.hpp"
#include "common/progress_line.hpp"
#include "common/run_report.hpp"
#include "common/stderr_log.hpp"
#include "common/thread_count.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/output_check.hpp"
#include "genomamba/io/output_file.hpp"
#include "genomamba/kernels/isa.hpp"
#include "genomamba/pipeline/model_location.hpp"
#include "genomamba/pipeline/variant_pipeline.hpp"
#include "genomamba/pipeline/variant_saturation.hpp"
#include "variants/outputs.hpp"
#include "variants/skip_log.hpp"

namespace genomamba::apps::variants {
namespace {

constexpr const char* kApp = "genomamba-variants";

/// Options that change what is written, in the order of the header.
std::vector<std::pair<std::string, std::string>> result_options(const Options& options) {
  const pipeline::VariantOptions& variants = options.variants;
  std::vector<std::pair<std::string, std::string>> list = {
      {"method", pipeline::to_string(variants.method)},
      {"window", std::to_string(variants.window)},
      {"strand", pipeline::to_string(variants.strand)}};
  if (variants.method == pipeline::VariantMethod::kMasked) {
    list.emplace_back("convention", pipeline::to_string(variants.convention));
    list.emplace_back("flank", std::to_string(variants.flank.value()));
  }
  if (variants.converge) list.emplace_back("converge", fmt::format("{}", *variants.converge));
  list.emplace_back("letters", options.model.letters);
  return list;
}

io::VariantScoreFields score_fields(const Options& options, const pipeline::LoadedModel& model,
                                    const std::vector<std::string>& provenance) {
  std::string how;
  for (const auto& [name, value] : result_options(options))
    how += fmt::format("{}{} {}", how.empty() ? "" : ", ", name, value);
  how += fmt::format("; model {} sha256:{}", model.name, model.weights_sha256);
  std::string codes;
  for (std::size_t s = 1; s < pipeline::kVariantSkips; ++s) {
    codes += fmt::format("{}{}", codes.empty() ? "" : " ",
                         pipeline::to_string(static_cast<pipeline::VariantSkip>(s)));
  }
  return {
      .llr_description =
          "ln P(ALT) - ln P(REF) by a DNA language model, in nats, on the reference background: " +
          how,
      .skip_description = fmt::format("Why an ALT has no GM_LLR: {}; {}", codes, how),
      .provenance = provenance};
}

/// Regions of -r and -R; nothing if none was given.
std::optional<std::vector<io::Region>> read_regions(const Options& options,
                                                    const io::ReferenceReader& reference,
                                                    LogSink& log) {
  if (options.regions.empty() && options.bed_paths.empty()) return std::nullopt;
  const io::RegionOptions region_options{.clip = true, .needs_strand = false};
  std::vector<io::Region> regions;
  for (const std::string& text : options.regions)
    regions.push_back(io::parse_region(text, reference, region_options, log));
  for (const std::string& path : options.bed_paths) {
    const io::BedFile bed = io::read_bed(path, reference, region_options, log);
    regions.insert(regions.end(), bed.regions.begin(), bed.regions.end());
  }
  return regions;
}

std::vector<io::Region> read_saturation(const Options& options,
                                        const io::ReferenceReader& reference, LogSink& log) {
  std::vector<io::Region> regions;
  for (const std::string& text : options.saturation)
    regions.push_back(io::parse_region(text, reference, {}, log));
  return regions;
}

/// A bundled model is small and has seen small genomes.
void remark_on_domain(const std::string& model_path, const io::ReferenceReader& reference,
                      LogSink& log) {
  constexpr std::uint64_t kLongContig = 20'000'000;
  const auto& contigs = reference.contigs();
  const bool is_long = std::any_of(contigs.begin(), contigs.end(), [](const io::Contig& contig) {
    return contig.length > kLongContig;
  });
  if (pipeline::is_bundled(model_path) && is_long) {
    log.write(
        LogLevel::kWarning,
        "contigs longer than 20 Mb: the bundled model was trained on bacteria, phage and yeast");
  }
}

void write_whole_file(const std::string& path, const std::string& text) {
  io::OutputFile file(path);
  file.write(text);
  file.commit();
}

std::string find_model(const Options& options) {
  const std::string spec = options.model.model_or("");
  if (spec.empty()) {
    throw UsageError(
        "no model: variants has no default; give -m MODEL or GENOMAMBA_MODEL (a bundled one: "
        "-m microbe-causal)");
  }
  return pipeline::locate_model(spec, pipeline::bundled_model_dirs());
}

void check_files(const Options& options, const RunReport& report, const std::string& model_path) {
  std::vector<std::string> inputs = report.inputs;
  inputs.insert(
      inputs.end(),
      {options.fai.empty() ? options.reference + ".fai" : options.fai, options.reference + ".gzi",
       options.input + ".tbi", options.input + ".csi", model_path, model_path + "/config.json",
       model_path + "/model.safetensors", model_path + "/pytorch_model.bin"});
  const std::vector<std::string> outputs = {options.output, options.table, options.npy,
                                            options.runtime.report_path};
  io::check_outputs(outputs, inputs);
}

void log_model(const Options& options, const pipeline::LoadedModel& model, bool window_given,
               StderrLog& log) {
  log.write(LogLevel::kInfo,
            fmt::format("model {} ({}, sha256 {:.12}), method {}, {} threads, {} kernels",
                        model.name, model.model.config().family, model.weights_sha256,
                        pipeline::to_string(options.variants.method), options.variants.n_threads,
                        kernels::to_string(kernels::active_isa())));
  const bool is_masked = options.variants.method == pipeline::VariantMethod::kMasked;
  log.write(LogLevel::kInfo,
            fmt::format("windows of {} bases ({})", options.variants.window,
                        window_given ? "--window"
                        : options.variants.convention == pipeline::VariantConvention::kPlantcad
                            ? "--convention plantcad"
                        : is_masked ? model.trained_length_source
                                    : "the default"));
}

void fill_report(RunReport& report, const pipeline::VariantCounts& counts) {
  report.counts = {{"records", counts.n_records},      {"alts", counts.n_alts},
                   {"bases", counts.n_tokens},         {"scored", counts.n_scored},
                   {"tokens", counts.n_tokens},        {"iupac_letters", counts.n_iupac},
                   {"uracil_letters", counts.n_uracil}};
  for (std::size_t s = 1; s < pipeline::kVariantSkips; ++s) {
    if (counts.n_skipped[s] == 0) continue;
    report.failed[std::string(pipeline::to_string(static_cast<pipeline::VariantSkip>(s)))] =
        counts.n_skipped[s];
  }
}

void log_counts(const Options& options, const pipeline::VariantCounts& counts, double seconds,
                StderrLog& log) {
  if (counts.n_iupac > 0) {
    log.write(LogLevel::kWarning,
              fmt::format("{} IUPAC letters of the windows, other than A, C, G, T, U, N, were read "
                          "as N",
                          counts.n_iupac));
  }
  if (counts.n_uracil > 0) {
    log.write(LogLevel::kInfo,
              fmt::format("{} letters U of the windows were read as T", counts.n_uracil));
  }
  if (counts.n_records == 0) {
    log.write(LogLevel::kWarning, options.saturation.empty()
                                      ? options.input + ": no record to score"
                                      : "--saturation: no A, C, G or T in the region");
  }
  log.write(LogLevel::kInfo,
            fmt::format("{} records, {} of {} ALTs scored in {:.2f} s ({:.1f} ALTs/s), peak memory "
                        "{}M",
                        counts.n_records, counts.n_scored, counts.n_alts, seconds,
                        static_cast<double>(counts.n_scored) / seconds, peak_rss_bytes() >> 20));
}

/// The run stops where nothing could be placed: mostly chr1 in one file and 1 in the other.
void check_placed(const Options& options, const pipeline::VariantCounts& counts,
                  const io::ReferenceReader& reference, const std::string& first_contig) {
  const auto missing = static_cast<std::size_t>(pipeline::VariantSkip::kContigMissing);
  if (counts.n_alts == 0 || counts.n_skipped[missing] < counts.n_alts) return;
  throw InputError(options.input, "",
                   fmt::format("no record lies on a contig of {}: the first is on {}; {}",
                               reference.path(), first_contig, reference.suggestion(first_contig)));
}

int score(Options& options, RunReport& report, StderrLog& log) {
  options.validate();
  select_isa(options.runtime.isa);
  options.variants.n_threads = resolve_thread_count(options.runtime.threads, log);
  report.isa = kernels::to_string(kernels::active_isa());
  report.n_threads = options.variants.n_threads;
  report.inputs = {options.reference};
  if (!options.input.empty()) report.inputs.push_back(options.input);
  report.inputs.insert(report.inputs.end(), options.bed_paths.begin(), options.bed_paths.end());

  const std::string path = find_model(options);
  io::ReferenceReader reference(options.reference, options.fai, log);
  const auto regions = read_regions(options, reference, log);
  const auto saturated = read_saturation(options, reference, log);
  std::optional<io::VariantReader> reader;
  if (saturated.empty()) reader.emplace(options.input, regions, reference, log);
  check_files(options, report, path);

  const pipeline::LoadedModel model = pipeline::load_model(path, options.model.tokenizer);
  report.model_name = model.name;
  report.weights_sha256 = model.weights_sha256;
  report.config_sha256 = model.config_sha256;
  const bool window_given = options.variants.window > 0;
  options.variants = pipeline::complete_variant_options(options.variants, model);
  report.notes["method"] = pipeline::to_string(options.variants.method);
  log_model(options, model, window_given, log);
  remark_on_domain(path, reference, log);
  if (options.runtime.dry_run) {
    log.write(LogLevel::kInfo,
              fmt::format("dry run: about {}M of memory",
                          (pipeline::estimate_variant_memory(options.variants, model) >> 20) + 1));
    return 0;
  }

  io::VariantHeader header =
      reader ? reader->header() : pipeline::saturation_header(reference, saturated);
  if (!header.has_contigs()) {
    log.write(LogLevel::kInfo, options.input + ": the header has no contig lines; those of " +
                                   reference.path() + " are added");
    header.add_contigs(reference.contigs());
  }
  std::vector<std::string> provenance;
  if (!options.no_version) {
    provenance = provenance_lines(model.name, model.weights_sha256, result_options(options));
  }
  header.declare_scores(score_fields(options, model, provenance));

  Outputs outputs(options, header, provenance, reference, saturated, log);
  ProgressLine line(log, options.runtime.progress, options.runtime.log_interval_seconds,
                    options.runtime.quiet);
  SkipLog skips(log);
  std::string first_contig;
  pipeline::SaturationSource source(reference, saturated, header, options.variants.letters);
  const pipeline::VariantFlow flow{
      .read =
          [&](io::VariantRecord& record) {
            return reader ? reader->read(record) : source.read(record);
          },
      .write =
          [&](io::VariantRecord& record, std::span<const pipeline::VariantScore> scores) {
            if (first_contig.empty()) first_contig = record.contig();
            skips.add(record, scores);
            outputs.write(record, scores);
          },
      .progress =
          [&](const pipeline::VariantCounts& counts) {
            line.update(counts.n_records, counts.n_tokens);
            fill_report(report, counts);
            publish_report(report);
          }};
  const pipeline::VariantCounts counts =
      pipeline::score_variants(options.variants, model, reference, flow);
  fill_report(report, counts);
  check_placed(options, counts, reference, first_contig);
  outputs.finish();
  skips.finish(counts);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - report.begin).count();
  log_counts(options, counts, seconds, log);
  report.warnings = log.warnings();
  if (options.strict && counts.n_scored < counts.n_alts) {
    throw Error(fmt::format("--strict: {} ALTs have no score", counts.n_alts - counts.n_scored));
  }
  return 0;
}

}  // namespace

int run(Options& options) {
  StderrLog log(kApp, options.runtime.verbosity());
  RunReport report;
  report.app = kApp;
  return run_with_report(report, options.runtime.report_path, write_whole_file,
                         [&] { return score(options, report, log); });
}

}  // namespace genomamba::apps::variants
