// SPDX-License-Identifier: MIT
#include "launcher/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "build_info.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/core/version.hpp"
#include "genomamba/kernels/isa.hpp"

namespace genomamba::apps::launcher {
namespace {

std::string own_folder() {
  std::array<char, 4096> path{};
  const ssize_t n = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  if (n <= 0) return "";
  const std::string exe(path.data(), static_cast<std::size_t>(n));
  return exe.substr(0, exe.rfind('/') + 1);
}

}  // namespace

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {"embed", "one vector a read or contig, from FASTA, FASTQ, SAM, BAM or CRAM"},
      {"score", "a value a position: log-probability, entropy or probabilities along a reference"},
      {"variants", "a log-likelihood ratio an ALT of a VCF or BCF, or of every SNV of a region"},
      {"split", "regions into shards of like size, for jobs side by side"},
      {"merge", "outputs of shards put together, as one run would have written them"},
      {"bench", "this machine's peak, the kernels beside it, a model's tokens a second"},
      {"report", "one HTML page with figures and tables of what the other apps wrote"},
      {"model", "info, verify, init: look at a model, check it, make a random one"},
  };
  return list;
}

std::string version_text() {
  std::string levels;
  for (const kernels::Isa isa : kernels::built_isas()) {
    levels += fmt::format(" {}{}", kernels::to_string(isa),
                          kernels::is_supported(isa) ? "" : " (not on this machine)");
  }
  return fmt::format(
      "genomamba {}\ngit: {}\ncompiler: {}\nkernels built:{}\nkernels chosen: {}\n"
      "htslib {}\nEigen {}\nxsimd {}\noneTBB {}\nCLI11 {}\n",
      kVersion, kGitHash, kCompiler, levels, kernels::to_string(kernels::active_isa()),
      kHtslibVersion, kEigenVersion, kXsimdVersion, kTbbVersion, kCli11Version);
}

void start_app(const std::string& app, std::vector<std::string> arguments) {
  const std::string name = "genomamba-" + app;
  arguments.insert(arguments.begin(), name);
  std::vector<char*> argv;
  for (std::string& argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv((own_folder() + name).c_str(), argv.data());
  if (errno == ENOENT) ::execvp(name.c_str(), argv.data());
  if (errno == ENOENT) throw UsageError("no app '" + app + "' (see genomamba --help)");
  throw Error("cannot start " + name + ": " + std::strerror(errno));
}

}  // namespace genomamba::apps::launcher
