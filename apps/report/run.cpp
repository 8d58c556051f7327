// SPDX-License-Identifier: MIT
#include "report/run.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "common/stderr_log.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/output_check.hpp"
#include "genomamba/io/output_file.hpp"

namespace genomamba::apps::report {
namespace {

using genomamba::report::FigureFile;
using genomamba::report::Report;

std::vector<std::string> inputs_of(const Options& options) {
  std::vector<std::string> inputs = options.report.inputs;
  inputs.push_back(options.report.labels);
  inputs.push_back(options.report.reference);
  inputs.insert(inputs.end(), options.report.sequences.begin(), options.report.sequences.end());
  return inputs;
}

void make_directory(const std::string& path) {
  constexpr mode_t kMode = 0777;  // the umask takes its part
  if (::mkdir(path.c_str(), kMode) != 0 && errno != EEXIST)
    throw OutputError(path, "cannot make the folder", errno);
}

/// Page and figures appear together, each whole.
void write_all(const Report& report, const Options& options) {
  std::vector<std::unique_ptr<io::OutputFile>> files;
  const auto add = [&](const std::string& path, const std::string& text) {
    files.push_back(std::make_unique<io::OutputFile>(path));
    files.back()->write(text);
    files.back()->finish_writing();
  };
  if (!options.svg_dir.empty()) {
    make_directory(options.svg_dir);
    for (const FigureFile& figure : report.figures)
      add(options.svg_dir + "/" + figure.name, figure.svg);
  }
  add(options.output, report.html);
  for (const auto& file : files)
    file->commit();
}

}  // namespace

int run(const Options& options) {
  options.validate();
  StderrLog log("genomamba-report", options.quiet ? -1 : 0);
  const std::vector<std::string> outputs = {options.output};
  io::check_outputs(outputs, inputs_of(options));
  genomamba::report::ReportOptions report_options = options.report;
  report_options.log = &log;
  const Report report = make_report(report_options);
  write_all(report, options);
  log.write(LogLevel::kInfo,
            fmt::format("{} figures, {} bytes of HTML", report.figures.size(), report.html.size()));
  return 0;
}

}  // namespace genomamba::apps::report
