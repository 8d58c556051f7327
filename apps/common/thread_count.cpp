// SPDX-License-Identifier: MIT
#include "common/thread_count.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include "genomamba/core/error.hpp"

namespace genomamba::apps {
namespace {

std::size_t affinity_cores() {
#ifdef __linux__
  // CPU_COUNT on a set sized for big machines: the kernel refuses a mask smaller than its own.
  constexpr int kMaxCpus = 8192;
  cpu_set_t* set = CPU_ALLOC(kMaxCpus);
  const std::size_t size = CPU_ALLOC_SIZE(kMaxCpus);
  std::size_t n = 0;
  if (set != nullptr && sched_getaffinity(0, size, set) == 0) {
    n = static_cast<std::size_t>(CPU_COUNT_S(size, set));
  }
  CPU_FREE(set);
  if (n > 0) return n;
#endif
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? static_cast<std::size_t>(online) : 1;
}

/// Quota / period, rounded up; 0 if there is no limit.
std::size_t cores_of_quota(double quota, double period) {
  if (quota <= 0 || period <= 0) return 0;
  const double cores = quota / period;
  return static_cast<std::size_t>(cores) +
         (cores > static_cast<double>(static_cast<std::size_t>(cores)));
}

/// Folders of this process's own cgroup and its parents below the mount point (a limit of any of
/// them holds).
std::vector<std::string> cgroup_dirs(const std::string& mount, const std::string& controller) {
  std::ifstream in("/proc/self/cgroup");
  std::vector<std::string> dirs{mount};
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers.find(controller) == std::string::npos && !controllers.empty()) continue;
    if (controller.empty() != controllers.empty()) continue;
    for (std::string path = line.substr(second + 1); path.size() > 1;
         path.resize(path.rfind('/'))) {
      dirs.push_back(mount + path);
      if (path.rfind('/') == 0) break;
    }
  }
  return dirs;
}

std::size_t cgroup_cores() {
  std::size_t least = 0;
  const auto take = [&least](std::size_t cores) {
    if (cores > 0 && (least == 0 || cores < least)) least = cores;
  };
  for (const std::string& dir : cgroup_dirs("/sys/fs/cgroup", "")) {
    std::ifstream in(dir + "/cpu.max");  // v2: "QUOTA PERIOD" or "max PERIOD"
    std::string quota;
    double period = 0;
    if (in >> quota >> period && quota != "max")
      take(cores_of_quota(std::atof(quota.c_str()), period));
  }
  for (const std::string& dir : cgroup_dirs("/sys/fs/cgroup/cpu", "cpu")) {
    std::ifstream quota_file(dir + "/cpu.cfs_quota_us");
    std::ifstream period_file(dir + "/cpu.cfs_period_us");
    double quota = 0;
    double period = 0;
    if (quota_file >> quota && period_file >> period) take(cores_of_quota(quota, period));
  }
  return least;
}

std::size_t parse_count(const std::string& text, const std::string& name) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  // More digits than a number holds are more threads than any machine has: capped like the rest.
  if (error == std::errc::result_out_of_range && end == text.data() + text.size())
    return std::numeric_limits<std::size_t>::max();
  if (error != std::errc() || end != text.data() + text.size() || n == 0) {
    throw UsageError(name + " " + text + ": a number of threads from 1 is wanted");
  }
  return n;
}

}  // namespace

std::size_t allowed_cores() {
  const std::size_t quota = cgroup_cores();
  const std::size_t cores = affinity_cores();
  return quota == 0 ? cores : std::max<std::size_t>(1, std::min(cores, quota));
}

std::size_t resolve_thread_count(const std::string& option, LogSink& log) {
  const std::size_t allowed = allowed_cores();
  std::string text = option;
  std::string name = "--threads";
  for (const char* variable : {"GENOMAMBA_THREADS", "SLURM_CPUS_PER_TASK", "OMP_NUM_THREADS"}) {
    if (!text.empty()) break;
    const char* value = std::getenv(variable);
    if (value != nullptr) text = value;
    name = variable;
    // OMP_NUM_THREADS may be a list, one number a nesting level.
    if (name == "OMP_NUM_THREADS") text = text.substr(0, text.find(','));
  }
  if (text.empty()) return allowed;
  const std::size_t n = parse_count(text, name);
  if (n <= allowed) return n;
  std::ostringstream line;
  line << name << " " << text << ": this process may use " << allowed << " cores, so " << allowed
       << " threads are used";
  log.write(LogLevel::kWarning, line.str());
  return allowed;
}

}  // namespace genomamba::apps
