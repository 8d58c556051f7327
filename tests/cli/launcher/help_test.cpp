// SPDX-License-Identifier: MIT
// Help in all its forms, of every app that was built: none can be left out.
#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"

using genomamba::test::run_app;
using genomamba::test::run_shell;

namespace {

/// The executables of apps/CMakeLists.txt: "genomamba", "genomamba-embed", ...
std::vector<std::string> programs() {
  std::istringstream list(GENOMAMBA_APP_LIST);
  std::vector<std::string> names;
  for (std::string name; std::getline(list, name, ',');)
    names.push_back(name);
  return names;
}

std::set<std::string> long_options(const std::string& help) {
  // Only where an option is defined: at the start of a line, after short names.
  static const std::regex definition(R"((?:^|\n)  (?:-\S,?)*(--[a-z][a-z-]*))");
  std::set<std::string> names;
  for (std::sregex_iterator it(help.begin(), help.end(), definition), end; it != end; ++it)
    names.insert((*it)[1]);
  return names;
}

/// The helps of a program: its own and those of its subcommands.
std::vector<std::string> help_pages(const std::string& program) {
  std::vector<std::string> pages = {run_app({program, "--help"}).out};
  const auto at = pages.front().find("Subcommands:\n");
  if (at == std::string::npos) return pages;
  std::istringstream lines(pages.front().substr(pages.front().find('\n', at) + 1));
  for (std::string line; std::getline(lines, line) && line.rfind("  ", 0) == 0;) {
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    if (!name.empty()) pages.push_back(run_app({program, name, "--help"}).out);
  }
  return pages;
}

std::string roff(const std::string& option) {
  return std::regex_replace(option, std::regex("-"), R"(\-)");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What bash offers for the last of `words`.
std::string bash_offers(const std::string& program, const std::string& words) {
  std::string function = program;
  std::replace(function.begin(), function.end(), '-', '_');
  return run_shell("source <(" + program + " --help-as bash); COMP_WORDS=(" + words +
                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _" + function +
                   "; echo \"${COMPREPLY[*]}\"")
      .out;
}

}  // namespace

TEST_CASE("The launcher lists every app that is built, and starts it") {
  const std::string help = run_app({"genomamba", "--help"}).out;
  REQUIRE(programs().size() > 1);
  for (const std::string& program : programs()) {
    INFO(program);
    if (program == "genomamba") continue;
    const std::string app = program.substr(program.find('-') + 1);
    CHECK(contains(help, "\n  " + app + " "));
    CHECK(run_app({"genomamba", "help", app}).out == run_app({program, "--help"}).out);
  }
}

TEST_CASE("Every help page has an example") {
  for (const std::string& program : programs()) {
    for (const std::string& page : help_pages(program)) {
      INFO(program << '\n' << page);
      CHECK(contains(page, "Example"));
      CHECK(contains(page, "\n  genomamba "));
    }
  }
}

TEST_CASE("Each option of the help stands in the manual page and in the completion of each shell") {
  for (const std::string& program : programs()) {
    const std::string man = run_app({program, "--help-as", "man"}).out;
    const std::string bash = run_app({program, "--help-as", "bash"}).out;
    const std::string zsh = run_app({program, "--help-as", "zsh"}).out;
    const std::string fish = run_app({program, "--help-as", "fish"}).out;
    for (const char* section : {".SH NAME\n", ".SH SYNOPSIS\n", ".SH EXAMPLES\n"})
      CHECK(contains(man, section));
    for (const std::string& page : help_pages(program)) {
      for (const std::string& option : long_options(page)) {
        INFO(program << ' ' << option);
        CHECK(contains(man, roff(option)));
        CHECK(contains(bash, option));
        CHECK(contains(zsh, option));
        CHECK(contains(fish, " -l " + option.substr(2) + " "));
      }
    }
  }
  CHECK(long_options(run_app({"genomamba-embed", "--help"}).out).count("--pool") == 1);
}

TEST_CASE("Another form of help is a usage error") {
  for (const char* program : {"genomamba", "genomamba-embed"}) {
    const auto result = run_app({program, "--help-as", "pdf"});
    CHECK(result.exit_code == 2);
    CHECK(contains(result.err, "--help-as pdf: man, bash, zsh or fish is wanted"));
  }
}

TEST_CASE("bash completes options, their choices and subcommands") {
  CHECK(bash_offers("genomamba-embed", "genomamba-embed --po") == "--pool\n");
  CHECK(bash_offers("genomamba-embed", "genomamba-embed --pool m") == "max mean\n");
  CHECK(bash_offers("genomamba-embed", "genomamba-embed --pool = m") == "max mean\n");
  CHECK(bash_offers("genomamba-embed", "genomamba-embed -o x") == "\n");  // the shell offers files
  CHECK(bash_offers("genomamba-model", "genomamba-model in") == "info init\n");
  CHECK(bash_offers("genomamba-model", "genomamba-model info --j") == "--json\n");
  CHECK(bash_offers("genomamba-model", "genomamba-model init --j") == "\n");
  CHECK(bash_offers("genomamba", "genomamba em") == "embed\n");
  CHECK(bash_offers("genomamba", "genomamba help em") == "embed\n");
}
