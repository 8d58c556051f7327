// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/model_location.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include "genomamba/core/error.hpp"

namespace genomamba::pipeline {
namespace {

constexpr std::string_view kHubPrefix = "hf:";

bool exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string hub_cache_dir() {
  if (const std::string dir = environment("HF_HUB_CACHE"); !dir.empty()) return dir;
  if (const std::string dir = environment("HF_HOME"); !dir.empty()) return dir + "/hub";
  return environment("HOME") + "/.cache/huggingface/hub";
}

std::string read_first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

/// Layout of huggingface_hub: models--ORG--NAME/{refs/REV -> commit, snapshots/COMMIT/}.
std::string locate_in_hub_cache(std::string_view spec) {
  std::string_view id = spec.substr(kHubPrefix.size());
  std::string revision = "main";
  if (const auto at = id.find('@'); at != std::string_view::npos) {
    revision = id.substr(at + 1);
    id = id.substr(0, at);
  }
  const auto slash = id.find('/');
  if (slash == std::string_view::npos || id.find("..") != std::string_view::npos ||
      revision.find("..") != std::string::npos) {
    throw UsageError("--model " + std::string(spec) +
                     ": the form is hf:ORG/NAME or hf:ORG/NAME@REV");
  }
  const std::string repo = hub_cache_dir() + "/models--" + std::string(id.substr(0, slash)) + "--" +
                           std::string(id.substr(slash + 1));
  const std::string commit = read_first_line(repo + "/refs/" + revision);
  for (const std::string& name : {commit, revision}) {
    const std::string snapshot = repo + "/snapshots/" + name;
    if (!name.empty() && exists(snapshot)) return snapshot;
  }
  throw UsageError("--model " + std::string(spec) + ": not in the local cache (" + repo +
                   "); download it first, e.g. with huggingface-cli download " + std::string(id));
}

}  // namespace

std::string locate_model(std::string_view spec, const std::vector<std::string>& bundled_dirs) {
  if (spec.substr(0, kHubPrefix.size()) == kHubPrefix) return locate_in_hub_cache(spec);
  const std::string name(spec);
  if (exists(name)) return name;
  if (name.find('/') == std::string::npos) {
    for (const std::string& dir : bundled_dirs) {
      if (exists(dir + "/" + name + "/config.json")) return dir + "/" + name;
    }
  }
  throw UsageError("--model " + name +
                   ": no such file or directory, and no bundled model of that name");
}

std::vector<std::string> bundled_model_dirs() {
  std::vector<std::string> dirs;
  std::array<char, 4096> path{};
  const ssize_t n = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  if (n > 0) {
    const std::string exe(path.data(), static_cast<std::size_t>(n));
    dirs.push_back(exe.substr(0, exe.rfind('/')) + "/../share/genomamba/models");
  }
  return dirs;
}

bool is_bundled(std::string_view path) {
  const auto dirs = bundled_model_dirs();
  return std::any_of(dirs.begin(), dirs.end(),
                     [path](const std::string& dir) { return path.starts_with(dir); });
}

}  // namespace genomamba::pipeline
