// SPDX-License-Identifier: MIT
#include "common/run_main.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "common/help_as.hpp"
#include "common/interrupt_report.hpp"
#include "common/print.hpp"
#include "common/run_report.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/core/version.hpp"

namespace genomamba::apps {
namespace {

void (*signal_cleanup)() noexcept = nullptr;
std::vector<std::string> words;

extern "C" void end_by_signal(int signal_number) {
  if (signal_cleanup != nullptr) signal_cleanup();
  write_interrupt_report(128 + signal_number);
  ::_exit(128 + signal_number);
}

void install_signal_handlers(void (*cleanup)() noexcept) {
  signal_cleanup = cleanup;
  struct sigaction action {};
  action.sa_handler = end_by_signal;
  sigemptyset(&action.sa_mask);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&action.sa_mask, signal_number);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction inherited {};
    sigaction(signal_number, nullptr, &inherited);
    // What the parent chose to ignore (nohup) stays ignored.
    if (inherited.sa_handler != SIG_IGN) sigaction(signal_number, &action, nullptr);
  }
  // Writes then report EPIPE and EFBIG, so that temporary files are removed and the status is ours
  // to choose.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// A closed standard stream would give its number to the next file opened, which would then be
/// written by mistake. /dev/null is opened the wrong way round, so that using the stream is still
/// an error.
void occupy_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    const int opened = ::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    static_cast<void>(opened);
  }
}

/// The report of a run whose command line could not be parsed.
void report_usage_error(const std::string& name, const std::string& message) {
  const std::string path = find_report_path(words);
  if (path.empty()) return;
  RunReport report;
  report.app = name;
  write_early_report(path, report.to_json(UsageError(message).exit_code(), message));
}

int parse_and_run(int argc, char** argv, const AppDefinition& app) {
  CLI::App parser(app.summary, app.name);
  parser.set_version_flag("--version", "genomamba " + std::string(kVersion),
                          "One line: name and version");
  parser.add_flag_callback(
      "--version-only", [] { throw CLI::CallForVersion(kVersion, 0); }, "The bare version number");
  app.add_options(parser);
  if (argc == 3 && std::string(argv[1]) == "--help-as")
    return print(help_as(argv[2], describe_command(parser)));
  try {
    parser.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print(parser.help());
  } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    const std::string message = std::string(error.what()) + " (see " + app.name + " --help)";
    report_usage_error(app.name, message);
    throw UsageError(message);
  }
  return app.run();
}

}  // namespace

const std::vector<std::string>& command_line() {
  return words;
}

int run_main(int argc, char** argv, const AppDefinition& app) {
  words.assign(argv, argv + argc);
  occupy_standard_streams();
  install_signal_handlers(app.cleanup);
  return guarded(app.name, [&] { return parse_and_run(argc, argv, app); });
}

}  // namespace genomamba::apps
