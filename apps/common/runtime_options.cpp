// SPDX-License-Identifier: MIT
#include "common/runtime_options.hpp"

#include <cmath>
#include <cstdlib>

#include "genomamba/core/error.hpp"

namespace genomamba::apps {

void RuntimeOptions::add_to(CLI::App& app) {
  const std::string group = "Running";
  app.add_option("-@,-t,--threads", threads,
                 "Threads in all, main thread and I/O included (default: GENOMAMBA_THREADS, "
                 "SLURM_CPUS_PER_TASK, OMP_NUM_THREADS, else every core allowed)")
      ->group(group);
  app.add_option("--memory", memory, "Memory budget of the whole run, e.g. 4G")->group(group);
  app.add_option("--isa", isa, "Kernels: auto, baseline, avx2, avx512, neon, ref")
      ->capture_default_str()
      ->group(group);
  app.add_option("--progress", progress,
                 "auto (a line a minute when stderr is no terminal), always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--log-interval", log_interval_seconds, "Seconds between plain progress lines")
      ->capture_default_str()
      ->group(group);
  app.add_flag("-q,--quiet", quiet, "Warnings and errors only")->group(group);
  app.add_flag("-v,--verbose", verbose, "Say more on stderr")->group(group);
  app.add_option("--report", report_path, "Write a JSON report of the run, also when it fails")
      ->group(group);
  app.add_flag("--dry-run", dry_run, "Check model and options, say what would be done, and stop")
      ->group(group);
}

std::size_t parse_size(const std::string& text, const std::string& name) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string unit(end);
  if (!unit.empty() && (unit.back() == 'b' || unit.back() == 'B')) unit.pop_back();
  if (!unit.empty() && (unit.back() == 'i')) unit.pop_back();
  double factor = 0;
  if (unit.empty()) factor = 1;
  if (unit == "k" || unit == "K") factor = 1024.0;
  if (unit == "m" || unit == "M") factor = 1024.0 * 1024.0;
  if (unit == "g" || unit == "G") factor = 1024.0 * 1024.0 * 1024.0;
  if (unit == "t" || unit == "T") factor = 1024.0 * 1024.0 * 1024.0 * 1024.0;
  const double bytes = number * factor;
  if (end == text.c_str() || factor == 0 || !std::isfinite(bytes) || bytes < 1 || bytes > 1e18) {
    throw UsageError(name + " " + text + ": a size such as 300M or 4G is wanted");
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace genomamba::apps
