// SPDX-License-Identifier: MIT
#include "bench/run.hpp"

#include <cstdlib>

#include "bench/bounds.hpp"
#include "bench/report.hpp"
#include "common/isa_option.hpp"
#include "common/model_options.hpp"
#include "common/print.hpp"
#include "common/stderr_log.hpp"
#include "common/thread_count.hpp"
#include "genomamba/pipeline/core_executor.hpp"
#include "genomamba/pipeline/model_location.hpp"

namespace genomamba::apps::bench {
namespace {

pipeline::LoadedModel load(const std::string& model) {
  const std::string spec =
      ModelOptions{.model = model, .tokenizer = "", .letters = "standard"}.model_or(
          std::string(pipeline::kDefaultModel));
  return pipeline::load_model(pipeline::locate_model(spec, pipeline::bundled_model_dirs()), "");
}

ModelFacts facts_of(const pipeline::LoadedModel& model) {
  const TokenWork work = token_work(model.model.config());
  return {model.name, model.weights_sha256, work.gemm_flops, work.scan_elements};
}

}  // namespace

int run(const Options& options) {
  StderrLog log("genomamba-bench", 0);
  select_isa(options.isa);
  const auto threads = thread_counts(resolve_thread_count(options.threads, log));
  // Before the first minute is spent: a model that cannot be read.
  std::optional<pipeline::LoadedModel> model;
  if (options.end_to_end()) model.emplace(load(options.model));

  const auto show = [&options](const std::string& text) {
    if (!options.json) print(text);
  };
  Report report;
  report.machine = measure_machine(threads, options.quick);
  show(machine_text(report.machine));
  if (options.kernels) {
    pipeline::CoreExecutor executor(threads.back());
    report.kernels = measure_kernels(options.only, options.quick, report.machine, executor);
    show(kernels_text(report.kernels));
  }
  if (model) {
    report.model = facts_of(*model);
    report.end_to_end =
        measure_end_to_end(*model, {.seconds = options.quick ? 0.05 : options.seconds,
                                    .runs = options.quick ? 1 : options.runs,
                                    .threads = threads});
    show(end_to_end_text(*report.model, report.end_to_end));
  }
  return options.json ? print(to_json(report)) : 0;
}

}  // namespace genomamba::apps::bench
