// SPDX-License-Identifier: MIT
#include "bench/report.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "genomamba/core/version.hpp"
#include "genomamba/kernels/isa.hpp"

namespace genomamba::apps::bench {
namespace {

using Json = nlohmann::ordered_json;

/// The processor's name as Linux tells it, else "unknown".
std::string processor() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// Core cycles: those of all cores together.
double cycles_per_8(const KernelRow& row, const Run& run) {
  return 8.0 * run.seconds * cycles_per_second(run.peak_gflops) / row.elements;
}

Json kernel_json(const KernelRow& row) {
  const Run best = row.timing.best();
  const Run median = row.timing.median();
  Json json{{"kernel", row.kernel}};
  for (const auto& [name, size] : row.shape)
    json[name] = size;
  json["threads"] = row.threads;
  json["best_seconds"] = best.seconds;
  json["median_seconds"] = median.seconds;
  json["peak_gflops"] = best.peak_gflops;
  if (row.flops > 0.0) {
    json["gflops"] = row.flops * 1e-9 / best.seconds;
  } else {
    json["elements_per_second"] = row.elements / best.seconds;
    json["cycles_per_8_elements"] = cycles_per_8(row, best);
    json["median_cycles_per_8_elements"] = cycles_per_8(row, median);
  }
  json["share_of_bound"] = row.share_of_bound(best);
  json["median_share_of_bound"] = row.share_of_bound(median);
  return json;
}

Json end_to_end_json(const EndToEndRow& row) {
  const Run best = row.timing.best();
  const Run median = row.timing.median();
  return {{"shape", row.shape},
          {"reads", row.reads},
          {"threads", row.threads},
          {"tokens", row.tokens},
          {"best_seconds", best.seconds},
          {"median_seconds", median.seconds},
          {"peak_gflops", best.peak_gflops},
          {"tokens_per_second", row.tokens / best.seconds},
          {"median_tokens_per_second", row.tokens / median.seconds},
          {"share_of_bound", row.share_of_bound(best)},
          {"median_share_of_bound", row.share_of_bound(median)}};
}

Json machine_json(const Machine& machine) {
  Json peaks = Json::array();
  for (const auto& [n_threads, gflops] : machine.fma_gflops)
    peaks.push_back({{"threads", n_threads}, {"gflops", gflops}});
  return {{"processor", processor()},
          {"isa", kernels::to_string(kernels::active_isa())},
          {"fma_peak", peaks},
          {"read_gbps",
           {{"L2", machine.L2_gbps}, {"L3", machine.L3_gbps}, {"memory", machine.memory_gbps}}}};
}

std::string kernel_line(const KernelRow& row) {
  const Run best = row.timing.best();
  const Run median = row.timing.median();
  std::string shape;
  for (const auto& [name, size] : row.shape)
    shape += fmt::format("{}{}={}", shape.empty() ? "" : " ", name, size);
  const std::string rate =
      row.flops > 0.0
          ? fmt::format("{:.1f} GFLOP/s\t.\t.", row.flops * 1e-9 / best.seconds)
          : fmt::format("{:.2f} G/s\t{:.2f}\t{:.2f}", row.elements * 1e-9 / best.seconds,
                        cycles_per_8(row, best), cycles_per_8(row, median));
  return fmt::format("{}\t{}\t{}\t{}\t{:.3f}\t{:.3f}\n", row.kernel, shape, row.threads, rate,
                     row.share_of_bound(best), row.share_of_bound(median));
}

}  // namespace

std::string machine_text(const Machine& machine) {
  std::string text = fmt::format("genomamba {}, {}, {} kernels\n", kVersion, processor(),
                                 kernels::to_string(kernels::active_isa()));
  for (const auto& [n_threads, gflops] : machine.fma_gflops) {
    text += fmt::format("multiply-add peak, {} thread{}: {:.1f} GFLOP/s\n", n_threads,
                        n_threads == 1 ? "" : "s", gflops);
  }
  text += fmt::format("reading, one thread: L2 {:.1f}, L3 {:.1f}, memory {:.1f} GB/s\n",
                      machine.L2_gbps, machine.L3_gbps, machine.memory_gbps);
  return text;
}

std::string kernels_text(const std::vector<KernelRow>& rows) {
  std::string text =
      "\n#kernel\tshape\tthreads\trate\tcycles_per_8\tmedian\tshare_of_bound\tmedian\n";
  for (const KernelRow& row : rows)
    text += kernel_line(row);
  return text;
}

std::string end_to_end_text(const ModelFacts& model, const std::vector<EndToEndRow>& rows) {
  std::string text = fmt::format(
      "\nmodel {} (sha256 {:.12}): {:.2f} MFLOP of projections and {:.0f} scan elements a token\n"
      "#shape\treads\tthreads\ttokens\ttokens_per_s\tmedian\tshare_of_bound\tmedian\n",
      model.name, model.weights_sha256, model.gemm_flops_per_token * 1e-6,
      model.scan_elements_per_token);
  for (const EndToEndRow& row : rows) {
    const Run best = row.timing.best();
    const Run median = row.timing.median();
    text +=
        fmt::format("{}\t{}\t{}\t{:.0f}\t{:.0f}\t{:.0f}\t{:.3f}\t{:.3f}\n", row.shape, row.reads,
                    row.threads, row.tokens, row.tokens / best.seconds, row.tokens / median.seconds,
                    row.share_of_bound(best), row.share_of_bound(median));
  }
  return text;
}

std::string to_json(const Report& report) {
  Json json{{"genomamba", kVersion}, {"machine", machine_json(report.machine)}};
  json["kernels"] = Json::array();
  for (const KernelRow& row : report.kernels)
    json["kernels"].push_back(kernel_json(row));
  if (report.model) {
    json["model"] = {{"name", report.model->name},
                     {"weights_sha256", report.model->weights_sha256},
                     {"gemm_flops_per_token", report.model->gemm_flops_per_token},
                     {"scan_elements_per_token", report.model->scan_elements_per_token}};
    json["end_to_end"] = Json::array();
    for (const EndToEndRow& row : report.end_to_end)
      json["end_to_end"].push_back(end_to_end_json(row));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace genomamba::apps::bench
