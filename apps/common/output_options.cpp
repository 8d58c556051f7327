// SPDX-License-Identifier: MIT
#include "common/output_options.hpp"

#include <sys/stat.h>

#include "genomamba/core/error.hpp"
#include "genomamba/core/version.hpp"

namespace genomamba::apps {
namespace {

bool is_special_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool ends_with(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

void OutputOptions::add_to(CLI::App& app, const std::vector<std::string>& formats) {
  const std::string group = "Output";
  app.add_option("-o,--output", path, "Output; its extension names the format; - is stdout (TSV)")
      ->capture_default_str()
      ->group(group);
  app.add_option("--format", format, "Overrides the extension")
      ->check(CLI::IsMember(formats))
      ->group(group);
  app.add_flag("--no-version", no_version, "No ## provenance lines in the output")->group(group);
}

std::string OutputOptions::resolved_format() const {
  if (!format.empty()) return format;
  if (path == "-" || is_special_file(path)) return "tsv";
  const std::string name = path.substr(path.rfind('/') + 1);
  const bool hidden_only = name.rfind('.') == 0 || name.find('.') == std::string::npos;
  for (const char* known : {"npy", "h5ad", "tsv"}) {
    if (ends_with(name, std::string(".") + known)) return known;
  }
  if (ends_with(name, ".tsv.gz") || hidden_only) return "tsv";
  throw UsageError("-o " + path + ": unknown extension (.npy, .h5ad, .tsv, .tsv.gz)");
}

std::vector<std::string> provenance_lines(
    const std::string& model_name, const std::string& weights_sha256,
    const std::vector<std::pair<std::string, std::string>>& options) {
  std::string list;
  for (const auto& [name, value] : options) {
    if (!list.empty()) list += ' ';
    list += name + "=" + value;
  }
  return {"genomamba=" + std::string(kVersion), "model=" + model_name + " sha256:" + weights_sha256,
          "options=" + list};
}

}  // namespace genomamba::apps
