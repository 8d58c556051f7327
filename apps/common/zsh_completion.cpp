// SPDX-License-Identifier: MIT
#include "common/completion.hpp"

namespace genomamba::apps {
namespace {

/// Colons and brackets end a part of an _arguments specification.
std::string specification_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return quoted(out, "'\\''");
}

std::string action(const OptionEntry& option) {
  return option.choices.empty() ? "_files" : "(" + join_words(option.choices, " ") + ")";
}

std::string specification(const OptionEntry& option) {
  if (option.is_positional) {
    return "'" + std::string(option.is_repeatable ? "*" : "") + ":" +
           specification_text(option.names.front()) + ":" + action(option) + "'";
  }
  const bool has_many = option.names.size() > 1;
  std::string text = option.is_repeatable ? "'*'" : "'(" + join_words(option.names, " ") + ")'";
  text += has_many ? "{" + join_words(option.names, ",") + "}" : option.names.front();
  text += "'[" + specification_text(option.description) + "]";
  if (option.takes_value)
    text += ":" + specification_text(option.value_name) + ":" + action(option);
  return text + "'";
}

std::string arguments(const CommandEntry& command, const std::string& indent) {
  std::string text;
  for (const OptionEntry& option : command.options)
    text += " \\\n" + indent + specification(option);
  return text;
}

/// ((name\:"summary" ...)), the form of a list with descriptions.
std::string subcommand_list(const CommandEntry& command) {
  std::string text = "((";
  for (const CommandEntry& subcommand : command.subcommands) {
    if (text.size() > 2) text += ' ';
    text += subcommand.name + "\\:\"" + specification_text(subcommand.summary) + "\"";
  }
  return text + "))";
}

}  // namespace

std::string quoted(const std::string& text, const std::string& quote) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

std::string zsh_completion(const CommandEntry& command) {
  std::string text =
      "#compdef " + command.name + "\n# Written from the options of " + command.name + ".\n";
  if (command.subcommands.empty())
    return text + "_arguments -s -S" + arguments(command, "  ") + "\n";
  text +=
      "local context state state_descr line\n"
      "typeset -A opt_args\n"
      "_arguments -C -s -S" +
      arguments(command, "  ") + " \\\n  '1:command:" + subcommand_list(command) +
      "' \\\n  '*::argument:->rest'\n"
      "[[ $state == rest ]] && case $words[1] in\n";
  for (const CommandEntry& subcommand : command.subcommands) {
    text += "  " + subcommand.name + ") _arguments -s -S" + arguments(subcommand, "    ") + " ;;\n";
  }
  return text + "esac\n";
}

}  // namespace genomamba::apps
