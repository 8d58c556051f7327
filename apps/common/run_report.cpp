// SPDX-License-Identifier: MIT
#include "common/run_report.hpp"

#include <sys/resource.h>

#include <exception>

#include <nlohmann/json.hpp>

#include "build_info.hpp"
#include "common/file_size.hpp"
#include "common/interrupt_report.hpp"
#include "common/run_main.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/core/version.hpp"

namespace genomamba::apps {
namespace {

constexpr int kSchemaVersion = 1;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

nlohmann::ordered_json inputs_json(const std::vector<std::string>& inputs) {
  auto list = nlohmann::ordered_json::array();
  for (const std::string& path : inputs) {
    nlohmann::ordered_json entry{{"path", path}};
    if (const auto size = file_size(path)) entry["bytes"] = *size;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<std::uint64_t>(usage.ru_maxrss);
#else
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
#endif
}

std::string RunReport::to_json(int exit_status, const std::string& error) const {
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto bases = counts.find("bases");
  nlohmann::ordered_json json;
  json["schema_version"] = kSchemaVersion;
  json["tool"] = "genomamba";
  json["version"] = kVersion;
  json["git_hash"] = kGitHash;
  json["compiler"] = kCompiler;
  json["app"] = app;
  json["isa"] = isa;
  json["libraries"] = {{"htslib", kHtslibVersion},
                       {"Eigen", kEigenVersion},
                       {"xsimd", kXsimdVersion},
                       {"oneTBB", kTbbVersion},
                       {"CLI11", kCli11Version}};
  json["model"] = {
      {"name", model_name}, {"config_sha256", config_sha256}, {"weights_sha256", weights_sha256}};
  json["arguments"] = command_line();
  json["threads"] = n_threads;
  json["inputs"] = inputs_json(inputs);
  json["counts"] = counts;
  json["filtered"] = filtered;
  json["failed"] = failed;
  if (!notes.empty()) json["notes"] = notes;
  if (!warnings.empty()) json["warnings"] = warnings;
  json["wall_seconds"] = wall;
  json["cpu_seconds"] = cpu_seconds();
  json["peak_rss_bytes"] = peak_rss_bytes();
  json["bases_per_second"] =
      bases != counts.end() && wall > 0 ? static_cast<double>(bases->second) / wall : 0.0;
  json["exit_status"] = exit_status;
  if (!error.empty()) json["error"] = error;
  // Paths and names may hold any bytes: what is not UTF-8 is replaced, never a reason to fail.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void publish_report(const RunReport& report) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last_published{};
  constexpr auto kInterval = std::chrono::seconds(1);
  constexpr int kPlaceholder = -1;
  if (!has_interrupt_report()) return;
  const Clock::time_point now = Clock::now();
  if (last_published != Clock::time_point{} && now - last_published < kInterval) return;
  last_published = now;
  const std::string text = report.to_json(kPlaceholder, "interrupted by a signal");
  const std::string key = "\"exit_status\": ";
  const std::string mark = key + std::to_string(kPlaceholder);
  const std::size_t at = text.rfind(mark);
  publish_interrupt_report(text.substr(0, at + key.size()), text.substr(at + mark.size()));
}

std::string find_report_path(const std::vector<std::string>& words) {
  constexpr std::string_view kOption = "--report";
  std::string path;
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == kOption && i + 1 < words.size())
      path = words[++i];
    else if (words[i].starts_with("--report="))
      path = words[i].substr(kOption.size() + 1);
  }
  return path;
}

int run_with_report(RunReport& report, const std::string& path, const WriteFile& write_file,
                    const std::function<int()>& body) {
  if (path.empty()) return body();
  set_interrupt_report(path);
  publish_report(report);
  int status = 1;
  try {
    status = body();
  } catch (const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    try {
      write_file(path, report.to_json(known != nullptr ? known->exit_code() : 1, error.what()));
    } catch (const Error&) {
      // The error of the run is the one to tell.
    }
    throw;
  }
  write_file(path, report.to_json(status, ""));
  return status;
}

}  // namespace genomamba::apps
