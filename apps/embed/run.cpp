// SPDX-License-Identifier: MIT
#include "embed/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "common/isa_option.hpp"
#include "common/progress_line.hpp"
#include "common/run_report.hpp"
#include "common/stderr_log.hpp"
#include "common/thread_count.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/core/version.hpp"
#include "genomamba/io/embedding_writer.hpp"
#include "genomamba/io/output_check.hpp"
#include "genomamba/io/output_file.hpp"
#include "genomamba/kernels/isa.hpp"
#include "genomamba/pipeline/embed_pipeline.hpp"
#include "genomamba/pipeline/model_location.hpp"

namespace genomamba::apps::embed {
namespace {

constexpr const char* kApp = "genomamba-embed";
/// A bundled model is small and has seen small genomes.
constexpr std::uint64_t kLongContig = 20'000'000;

void fill_report(RunReport& report, const pipeline::EmbedCounts& counts) {
  report.counts = {{"records_in", counts.n_in},
                   {"rows_out", counts.n_rows},
                   {"records_restored", counts.n_restored},
                   {"rows_ok", counts.n_ok},
                   {"bases", counts.n_bases},
                   {"tokens", counts.n_tokens},
                   {"iupac_letters", counts.n_iupac},
                   {"uracil_letters", counts.n_uracil}};
  report.filtered = counts.filtered;
  report.failed = counts.failed;
}

/// Keeps the report up to date as well, so that it tells how far a run came that failed.
class Progress final : public pipeline::EmbedProgress {
 public:
  Progress(ProgressLine& line, RunReport& report) : line_(line), report_(report) {}
  void update(const pipeline::EmbedCounts& counts) override {
    line_.update(counts.n_in, counts.n_bases);
    fill_report(report_, counts);
    publish_report(report_);
  }

 private:
  ProgressLine& line_;
  RunReport& report_;
};

/// Every file that the run reads, as far as the command line names it.
std::vector<std::string> input_files(const Options& options) {
  std::vector<std::string> files = options.embed.inputs;
  for (const std::string& path :
       {options.embed.reference_path, options.embed.regions_path, options.tracks_path,
        options.model.tokenizer, options.model.model, options.model.model + "/config.json",
        options.model.model + "/model.safetensors", options.model.model + "/pytorch_model.bin",
        options.model.model + "/tokenizer_config.json", options.model.model + "/tokenizer.json"}) {
    if (!path.empty()) files.push_back(path);
  }
  return files;
}

void check_output_files(const Options& options) {
  std::vector<std::string> outputs = {options.output.path, options.runtime.report_path,
                                      options.resume_path};
  if (options.output.format == "npy" || options.output.path.ends_with(".npy")) {
    outputs.push_back(io::row_table_path(options.output.path));
  }
  io::check_outputs(outputs, input_files(options));
}

std::vector<std::pair<std::string, std::string>> result_options(
    const Options& options, const pipeline::LoadedModel& model) {
  const pipeline::EmbedOptions& embed = options.embed;
  std::vector<std::pair<std::string, std::string>> list = {
      {"pool", pipeline::to_string(embed.pool)},
      {"layer", options.layer},
      {"strand", pipeline::to_string(embed.strand)},
      {"window", std::to_string(embed.window)},
      {"overlap", std::to_string(embed.overlap)},
      {"rows", options.rows},
      {"letters", options.model.letters},
      {"special-tokens", embed.special_tokens ? "yes" : "no"},
      {"min-length", std::to_string(embed.min_length)},
      {"exclude-flags", std::to_string(embed.exclude_flags)},
      {"dtype", options.dtype},
      {"tokenizer", model.tokenizer.alphabet().name}};
  if (embed.max_length != pipeline::EmbedOptions{}.max_length) {
    list.emplace_back("max-length", std::to_string(embed.max_length));
  }
  if (embed.clip_regions) list.emplace_back("clip", "yes");
  if (embed.tracks != nullptr) list.emplace_back("tracks", "sha256:" + embed.tracks->sha256());
  if (embed.pairing != pipeline::Pairing::kSingle) list.emplace_back("pairs", "yes");
  return list;
}

/// Every input, model and option that the vectors depend on.
std::unique_ptr<io::ResumeFile> open_resume(const Options& options,
                                            const pipeline::LoadedModel& model,
                                            const RunReport& report) {
  if (options.resume_path.empty()) return nullptr;
  std::vector<io::ResumeFact> facts = {{"the version of genomamba", std::string(kVersion)},
                                       {"--isa", report.isa},
                                       {"--model", model.weights_sha256 + model.config_sha256},
                                       {"--interleaved", options.interleaved ? "yes" : "no"}};
  for (const auto& [name, value] : result_options(options, model))
    facts.push_back({"--" + name, value});
  for (const std::string& region : options.embed.regions)
    facts.push_back({"--region", region});
  for (const std::string& path : report.inputs)
    facts.push_back(io::input_fact(path));
  if (std::filesystem::exists(options.model.tokenizer))
    facts.push_back(io::input_fact(options.model.tokenizer));
  return std::make_unique<io::ResumeFile>(options.resume_path, facts);
}

std::string join_counts(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [reason, n] : counts) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", n, reason);
  }
  return text;
}

std::uint64_t total(const std::map<std::string, std::uint64_t>& counts) {
  std::uint64_t n = 0;
  for (const auto& [reason, count] : counts)
    n += count;
  return n;
}

void log_counts(const pipeline::EmbedCounts& counts, const Options& options, bool is_bundled,
                StderrLog& log) {
  if (counts.n_in == 0) {
    std::string names;
    for (const std::string& input : options.embed.inputs)
      names += " " + input;
    log.write(LogLevel::kWarning, "no record in" + names + ": the output has 0 rows");
  }
  if (counts.n_iupac > 0) {
    log.write(
        LogLevel::kWarning,
        fmt::format("{} IUPAC letters other than A, C, G, T, U, N were read as N", counts.n_iupac));
  }
  if (counts.n_uracil > 0) {
    log.write(LogLevel::kInfo, fmt::format("{} letters U were read as T", counts.n_uracil));
  }
  if (!counts.filtered.empty()) {
    log.write(LogLevel::kWarning,
              fmt::format("filtered records: {}", join_counts(counts.filtered)));
  }
  if (is_bundled && counts.longest_record > kLongContig) {
    log.write(
        LogLevel::kWarning,
        "contigs longer than 20 Mb: the bundled model was trained on bacteria, phage and yeast");
  }
  if (!counts.failed.empty()) {
    log.write(LogLevel::kWarning,
              fmt::format("rows without a vector (NaN): {}", join_counts(counts.failed)));
  }
}

/// The last line: what was done, and what was said while the inputs were read, which may have
/// scrolled away by now.
void log_summary(const pipeline::EmbedCounts& counts, const RunReport& report, StderrLog& log) {
  constexpr std::size_t kMaxWarnings = 3;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - report.begin).count();
  std::string summary =
      fmt::format("{} records, {} rows, {} bases in {:.2f} s ({}), peak memory {}M", counts.n_in,
                  counts.n_rows, counts.n_bases, seconds,
                  base_rate(static_cast<double>(counts.n_bases) / seconds), peak_rss_bytes() >> 20);
  for (std::size_t i = 0; i < std::min(report.warnings.size(), kMaxWarnings); ++i)
    summary += "; warning: " + report.warnings[i];
  log.write(LogLevel::kInfo, summary);
}

void write_whole_file(const std::string& path, const std::string& text) {
  io::OutputFile file(path);
  file.write(text);
  file.commit();
}

void load_tracks(Options& options) {
  const std::string& path = options.tracks_path;
  if (path.empty()) return;
  const std::vector<std::string>& inputs = options.embed.inputs;
  if (path == "-" && std::count(inputs.begin(), inputs.end(), "-") > 0) {
    throw UsageError("stdin (-) cannot be INPUT and --tracks at once");
  }
  options.embed.tracks =
      std::make_shared<const io::TranscriptTable>(io::TranscriptTable::load(path));
}

int embed_all(Options& options, RunReport& report, StderrLog& log) {
  report.inputs = options.embed.inputs;
  for (const std::string& path :
       {options.embed.reference_path, options.embed.regions_path, options.tracks_path}) {
    if (!path.empty()) report.inputs.push_back(path);
  }
  options.validate();
  load_tracks(options);
  select_isa(options.runtime.isa);
  options.embed.n_threads = resolve_thread_count(options.runtime.threads, log);
  report.isa = kernels::to_string(kernels::active_isa());
  report.n_threads = options.embed.n_threads;

  const std::string default_model(pipeline::kDefaultModel);
  const std::string path =
      pipeline::locate_model(options.model.model_or(default_model), pipeline::bundled_model_dirs());
  const pipeline::LoadedModel model = pipeline::load_model(path, options.model.tokenizer);
  report.model_name = model.name;
  report.weights_sha256 = model.weights_sha256;
  report.config_sha256 = model.config_sha256;
  const auto& config = model.model.config();
  if (options.strand.empty() && config.strands != model::Strands::kSingle) {
    options.embed.strand = pipeline::Strand::kConcat;
  }
  const bool window_given = options.embed.window > 0;
  options.embed = pipeline::complete_options(options.embed, model);
  log.write(LogLevel::kInfo,
            fmt::format("model {} ({}, sha256 {:.12}), {} threads, {} kernels", model.name,
                        config.family, model.weights_sha256, options.embed.n_threads, report.isa));
  if (const auto& unused = model.model.unused_tensors(); !unused.empty()) {
    log.write(
        LogLevel::kWarning,
        fmt::format("{} tensors of the checkpoint are not used by this family, the first is {}",
                    unused.size(), unused.front()));
  }
  if (!window_given && options.embed.window > 0) {
    log.write(LogLevel::kInfo, fmt::format("windows of {} tokens ({})", options.embed.window,
                                           model.trained_length_source));
  }
  const std::size_t width = pipeline::embedding_width(config, options.embed.strand);
  const std::size_t memory = pipeline::estimate_memory(options.embed, model);
  if (options.runtime.dry_run) {
    log.write(LogLevel::kInfo,
              fmt::format("dry run: {} inputs, vectors of {} numbers, about {}M of memory",
                          options.embed.inputs.size(), width, (memory >> 20) + 1));
    return 0;
  }

  io::EmbeddingWriterOptions writer_options{
      .path = options.output.path,
      .format = options.output.resolved_format() == "npy" ? io::EmbeddingFormat::kNpy
                                                          : io::EmbeddingFormat::kTsv,
      .dtype = options.dtype == "f16" ? io::FloatType::kF16 : io::FloatType::kF32,
      .has_offset_column = options.embed.pool == pipeline::Pool::kNone,
      .provenance = {}};
  if (!options.output.no_version) {
    writer_options.provenance =
        provenance_lines(model.name, model.weights_sha256, result_options(options, model));
  }
  const auto resume = open_resume(options, model, report);
  const auto writer = io::make_embedding_writer(writer_options, width);
  ProgressLine line(log, options.runtime.progress, options.runtime.log_interval_seconds,
                    options.runtime.quiet);
  Progress progress(line, report);
  const pipeline::EmbedCounts counts =
      pipeline::embed_records(options.embed, model, *writer, log, &progress, resume.get());
  writer->finish();
  if (resume != nullptr) resume->remove();
  if (counts.n_restored > 0) {
    log.write(LogLevel::kInfo,
              fmt::format("{} records were taken from {}", counts.n_restored, options.resume_path));
  }

  fill_report(report, counts);
  report.warnings = log.warnings();
  log_counts(counts, options, pipeline::is_bundled(path), log);
  log_summary(counts, report, log);
  const std::uint64_t not_embedded = total(counts.filtered) + total(counts.failed);
  if (options.strict && not_embedded > 0) {
    throw Error(
        fmt::format("--strict: {} records were filtered or could not be embedded", not_embedded));
  }
  return 0;
}

}  // namespace

int run(Options& options) {
  check_output_files(options);  // before anything can be written, the report included
  StderrLog log(kApp, options.runtime.verbosity());
  RunReport report;
  report.app = kApp;
  return run_with_report(report, options.runtime.report_path, write_whole_file,
                         [&] { return embed_all(options, report, log); });
}

}  // namespace genomamba::apps::embed
