// SPDX-License-Identifier: MIT
// genomamba: starts the app that its first argument names.
#include <csignal>
#include <string>
#include <vector>

#include "common/print.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/core/version.hpp"
#include "launcher/help.hpp"
#include "launcher/launch.hpp"

namespace launcher = genomamba::apps::launcher;

namespace {

int launch(std::vector<std::string> words) {
  using genomamba::apps::print;
  if (words.empty()) {
    throw genomamba::UsageError("an app is wanted (see genomamba --help)");
  }
  const std::string first = words.front();
  words.erase(words.begin());
  if (first == "--version") return print("genomamba " + std::string(genomamba::kVersion) + "\n");
  if (first == "--version-only") return print(std::string(genomamba::kVersion) + "\n");
  if (first == "version") return print(launcher::version_text());
  if (first == "-h" || first == "--help") return print(launcher::help_text());
  if (first == "--help-as" && words.size() == 1) return print(launcher::help_as(words.front()));
  if (first == "help") {
    if (words.empty()) return print(launcher::help_text());
    const std::string app = words.front();
    words.erase(words.begin());
    words.emplace_back("--help");
    launcher::start_app(app, words);
  }
  launcher::start_app(first, words);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // writes report EPIPE instead
  return genomamba::apps::guarded("genomamba", [&] {
    return launch(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  });
}
