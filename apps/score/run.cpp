// SPDX-License-Identifier: MIT
#include "score/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/isa_option.hpp"
#include "common/output_options.hpp"
#include "common/progress_line.hpp"
#include "common/run_report.hpp"
#include "common/stderr_log.hpp"
#include "common/thread_count.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/output_file.hpp"
#include "genomamba/kernels/isa.hpp"
#include "genomamba/pipeline/model_location.hpp"
#include "genomamba/pipeline/score_pipeline.hpp"
#include "score/inputs.hpp"
#include "score/outputs.hpp"

namespace genomamba::apps::score {
namespace {

constexpr const char* kApp = "genomamba-score";

void fill_report(RunReport& report, const pipeline::ScoreCounts& counts) {
  report.counts = {{"regions", counts.n_regions},      {"positions", counts.n_positions},
                   {"bases", counts.n_positions},      {"not_acgt", counts.n_not_acgt},
                   {"tokens", counts.n_tokens},        {"iupac_letters", counts.n_iupac},
                   {"uracil_letters", counts.n_uracil}};
}

/// Keeps the report up to date as well, so that it tells how far a run came that failed.
class Progress final : public pipeline::ScoreProgress {
 public:
  Progress(ProgressLine& line, RunReport& report) : line_(line), report_(report) {}
  void update(const pipeline::ScoreCounts& counts) override {
    line_.update_bases(counts.n_done, counts.n_to_do);
    fill_report(report_, counts);
    publish_report(report_);
  }

 private:
  ProgressLine& line_;
  RunReport& report_;
};

/// Options that change what is written, in the order of the header.
std::vector<std::pair<std::string, std::string>> result_options(const Options& options) {
  const pipeline::ScoreOptions& score = options.score;
  std::vector<std::pair<std::string, std::string>> list = {
      {"score", options.kinds},
      {"method", pipeline::to_string(score.method.value())},
      {"strand", pipeline::to_string(score.strand)}};
  if (score.method == pipeline::ScoreMethod::kCausal) {
    list.emplace_back("context",
                      score.whole_context ? "whole" : std::to_string(score.context.value()));
  } else {
    list.emplace_back("window", std::to_string(score.window));
    list.emplace_back("overlap", std::to_string(score.overlap.value()));
  }
  if (score.method == pipeline::ScoreMethod::kMasked) {
    list.emplace_back("mask-spacing", std::to_string(score.mask_spacing.value()));
  }
  list.emplace_back("letters", options.model.letters);
  list.emplace_back("precision", std::to_string(options.precision));
  if (options.clip) list.emplace_back("clip", "yes");
  return list;
}

std::vector<std::string> provenance(const Options& options, const pipeline::LoadedModel& model,
                                    const Inputs& inputs, const io::ReferenceReader& reference) {
  if (options.no_version) return {};
  auto lines = provenance_lines(model.name, model.weights_sha256, result_options(options));
  if (options.score.method == pipeline::ScoreMethod::kUnmasked) {
    lines.emplace_back(
        "note=unmasked: the model saw the base that it scored; values are reconstruction scores");
  }
  // What merge needs to put shards together; the merged output has none of it.
  for (const std::string& shard : inputs.shards)
    lines.push_back("shard=" + shard);
  if (!inputs.shards.empty()) {
    for (const io::Contig& contig : reference.contigs()) {
      lines.push_back(fmt::format("contig=<ID={},length={}>", contig.name, contig.length));
    }
  }
  return lines;
}

/// A bundled model is small and has seen small genomes.
void remark_on_domain(const std::string& model_path, const io::ReferenceReader& reference,
                      const std::vector<io::Region>& regions, LogSink& log) {
  constexpr std::uint64_t kLongContig = 20'000'000;
  const bool is_long = std::any_of(regions.begin(), regions.end(), [&](const io::Region& region) {
    return reference.contigs()[region.contig].length > kLongContig;
  });
  if (pipeline::is_bundled(model_path) && is_long) {
    log.write(
        LogLevel::kWarning,
        "contigs longer than 20 Mb: the bundled model was trained on bacteria, phage and yeast");
  }
}

void log_counts(const pipeline::ScoreCounts& counts, StderrLog& log) {
  if (counts.n_iupac > 0) {
    log.write(
        LogLevel::kWarning,
        fmt::format("{} IUPAC letters other than A, C, G, T, U, N were read as N", counts.n_iupac));
  }
  if (counts.n_uracil > 0)
    log.write(LogLevel::kInfo, fmt::format("{} letters U were read as T", counts.n_uracil));
  if (counts.n_positions == 0)
    log.write(LogLevel::kWarning, "no position to score: the outputs have no rows");
}

void write_whole_file(const std::string& path, const std::string& text) {
  io::OutputFile file(path);
  file.write(text);
  file.commit();
}

void log_model(const Options& options, const pipeline::LoadedModel& model, bool window_given,
               StderrLog& log) {
  log.write(LogLevel::kInfo,
            fmt::format("model {} ({}, sha256 {:.12}), method {}, {} threads, {} kernels",
                        model.name, model.model.config().family, model.weights_sha256,
                        pipeline::to_string(options.score.method.value()), options.score.n_threads,
                        kernels::to_string(kernels::active_isa())));
  if (options.score.method == pipeline::ScoreMethod::kUnmasked) {
    log.write(LogLevel::kWarning,
              "unmasked: the model sees the base that it scores, so the values are reconstruction "
              "scores");
  }
  if (options.score.window > 0) {
    log.write(LogLevel::kInfo,
              fmt::format("windows of {} bases ({}), overlap {}", options.score.window,
                          window_given ? "--window" : model.trained_length_source,
                          options.score.overlap.value()));
  }
}

void run_overlap_check(const Options& options, const pipeline::LoadedModel& model,
                       io::ReferenceReader& reference, const std::vector<io::Region>& regions,
                       RunReport& report, StderrLog& log) {
  if (options.score.overlap_check == 0) return;
  const auto check = pipeline::check_overlap(options.score, model, reference, regions);
  const std::string found = fmt::format(
      "{} places with overlap {} and {}: largest difference of logp {:.6f}, mean {:.6f}",
      check.n_places, options.score.overlap.value(), 2 * options.score.overlap.value(),
      check.largest, check.mean);
  report.notes["overlap check"] = found;
  log.write(LogLevel::kInfo, "overlap check: " + found);
}

int score_all(Options& options, RunReport& report, StderrLog& log) {
  options.validate();
  select_isa(options.runtime.isa);
  options.score.n_threads = resolve_thread_count(options.runtime.threads, log);
  report.isa = kernels::to_string(kernels::active_isa());
  report.n_threads = options.score.n_threads;
  report.inputs = {options.reference};
  report.inputs.insert(report.inputs.end(), options.bed_paths.begin(), options.bed_paths.end());

  io::ReferenceReader reference(options.reference, options.fai, log);
  const Inputs inputs = read_inputs(options, reference, log);
  const std::string path = pipeline::locate_model(
      options.model.model_or(std::string(pipeline::kDefaultModel)), pipeline::bundled_model_dirs());
  const pipeline::LoadedModel model = pipeline::load_model(path, options.model.tokenizer);
  report.model_name = model.name;
  report.weights_sha256 = model.weights_sha256;
  const bool window_given = options.score.window > 0;
  options.score = pipeline::complete_score_options(options.score, model);

  std::vector<std::string> files = report.inputs;
  files.insert(files.end(), {options.fai.empty() ? options.reference + ".fai" : options.fai,
                             options.reference + ".gzi", path, path + "/config.json",
                             path + "/model.safetensors", path + "/pytorch_model.bin"});
  check_output_names(options, files);
  log_model(options, model, window_given, log);
  report.notes["method"] = pipeline::to_string(options.score.method.value());
  if (options.score.method == pipeline::ScoreMethod::kUnmasked) {
    report.notes["method"] +=
        ": the model saw the base that it scored; values are reconstruction scores";
  }
  remark_on_domain(path, reference, inputs.regions, log);
  if (options.runtime.dry_run) {
    std::uint64_t n_positions = 0;
    for (const io::Region& region : inputs.regions)
      n_positions += region.length();
    log.write(LogLevel::kInfo,
              fmt::format("dry run: {} regions, {} positions, {} windows, {} values a position, "
                          "about {}M of memory",
                          inputs.regions.size(), n_positions,
                          pipeline::count_windows(options.score, model, reference, inputs.regions),
                          pipeline::score_columns(options.score).size(),
                          (pipeline::estimate_score_memory(options.score, model) >> 20) + 1));
    return 0;
  }
  Outputs outputs(options, reference, provenance(options, model, inputs, reference), log);
  run_overlap_check(options, model, reference, inputs.regions, report, log);
  ProgressLine line(log, options.runtime.progress, options.runtime.log_interval_seconds,
                    options.runtime.quiet);
  Progress progress(line, report);
  const pipeline::ScoreCounts counts = pipeline::score_regions(
      options.score, model, reference, inputs.regions, outputs.all(), log, &progress);
  outputs.finish();
  fill_report(report, counts);
  log_counts(counts, log);
  report.warnings = log.warnings();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - report.begin).count();
  log.write(LogLevel::kInfo,
            fmt::format("{} regions, {} positions in {:.2f} s ({}), peak memory {}M",
                        counts.n_regions, counts.n_positions, seconds,
                        base_rate(static_cast<double>(counts.n_positions) / seconds),
                        peak_rss_bytes() >> 20));
  return 0;
}

}  // namespace

int run(Options& options) {
  StderrLog log(kApp, options.runtime.verbosity());
  RunReport report;
  report.app = kApp;
  return run_with_report(report, options.runtime.report_path, write_whole_file,
                         [&] { return score_all(options, report, log); });
}

}  // namespace genomamba::apps::score
