// SPDX-License-Identifier: MIT
// A command line as data, read from the parser's own definitions: what man pages and shell
// completion are written from.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): theirs
class App;
}

namespace genomamba::apps {

/// One option, flag or positional argument.
struct OptionEntry {
  std::vector<std::string> names;  ///< {"-o", "--output"}; a positional: {"INPUT"}
  bool is_positional = false;
  bool takes_value = true;  ///< false: a flag
  bool is_required = false;
  bool is_repeatable = false;
  std::string value_name;            ///< "FILE", "N"; empty for a flag
  std::vector<std::string> choices;  ///< every value that is accepted; empty: any
  std::string description;
  std::string default_value;  ///< empty: none is stated
  std::string group;          ///< heading under which --help lists it
};

/// A program or a subcommand.
struct CommandEntry {
  std::string name;     ///< "genomamba-embed", "info"
  std::string summary;  ///< one sentence
  std::vector<OptionEntry> options;
  std::vector<CommandEntry> subcommands;
  std::string notes;     ///< text below the options, without the examples
  std::string examples;  ///< command lines, one a line, with their indent
};

/// Everything that `app --help` shows. Subcommands included, to any depth.
CommandEntry describe_command(const CLI::App& app);

/// Splits the text below the options at its line "Example:" or "Examples:".
void set_footer(CommandEntry& command, const std::string& footer);

/// "a", "b" -> "a, b" for `between` ", ".
std::string join_words(const std::vector<std::string>& words, const std::string& between);

}  // namespace genomamba::apps
