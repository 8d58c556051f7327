// SPDX-License-Identifier: MIT
#include "common/completion.hpp"

namespace genomamba::apps {
namespace {

std::string fish_quoted(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') escaped += '\\';
    escaped += c;
  }
  return "'" + quoted(escaped, "\\'") + "'";
}

std::string option_line(const OptionEntry& option, const std::string& begin) {
  std::string text = begin;
  for (const std::string& name : option.names) {
    text += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.takes_value) text += option.choices.empty() ? " -r" : " -x -a '";
  for (const std::string& choice : option.choices)
    text += choice + " ";
  if (!option.choices.empty()) text.back() = '\'';
  return text + " -d " + fish_quoted(option.description) + "\n";
}

std::string option_lines(const CommandEntry& command, const std::string& begin) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    if (!option.is_positional) text += option_line(option, begin);
  }
  return text;
}

}  // namespace

std::string fish_completion(const CommandEntry& command) {
  std::string text = "# fish completion of " + command.name + ", written from its options\n";
  const std::string begin = "complete -c " + command.name;
  if (command.subcommands.empty()) return text + option_lines(command, begin);
  const std::string at_first = begin + " -n __fish_use_subcommand";
  text += option_lines(command, at_first);
  for (const CommandEntry& subcommand : command.subcommands) {
    text +=
        at_first + " -f -a " + subcommand.name + " -d " + fish_quoted(subcommand.summary) + "\n";
    text += option_lines(subcommand,
                         begin + " -n '__fish_seen_subcommand_from " + subcommand.name + "'");
  }
  return text;
}

}  // namespace genomamba::apps
