// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/completion.hpp"

namespace genomamba::apps {
namespace {

/// Sets `options` (names that may follow) and `values` (of the option before the cursor). A value
/// without a list of choices ends the function: the shell then offers files.
std::string command_case(const CommandEntry& command, const std::string& pattern) {
  std::vector<std::string> names;
  for (const CommandEntry& subcommand : command.subcommands)
    names.push_back(subcommand.name);
  std::string values;
  for (const OptionEntry& option : command.options) {
    if (option.is_positional) continue;
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (!option.takes_value) continue;
    values += "        " + join_words(option.names, " | ") + ") ";
    values += option.choices.empty() ? "return ;;\n"
                                     : "values='" + join_words(option.choices, " ") + "' ;;\n";
  }
  std::string text = "    " + pattern + ")\n      options='" + join_words(names, " ") + "'\n";
  if (!values.empty()) text += "      case $prev in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

}  // namespace

std::string bash_completion(const CommandEntry& command) {
  std::string function = "_" + command.name;
  std::replace(function.begin(), function.end(), '-', '_');
  std::vector<std::string> subcommands;
  for (const CommandEntry& subcommand : command.subcommands)
    subcommands.push_back(subcommand.name);

  std::string text = "# bash completion of " + command.name + ", written from its options\n" +
                     function +
                     "() {\n"
                     "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
                     "  local command='' options='' values='' word\n"
                     "  COMPREPLY=()\n"
                     "  # --option=value comes as three words\n"
                     "  if [[ $cur == '=' ]]; then\n"
                     "    cur=''\n"
                     "  elif [[ $prev == '=' ]]; then\n"
                     "    prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
                     "  fi\n";
  if (!subcommands.empty()) {
    text += "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD - 1}\"; do\n    case $word in\n      " +
            join_words(subcommands, " | ") + ") command=$word ;;\n    esac\n  done\n";
  }
  text += "  case $command in\n" + command_case(command, "''");
  for (const CommandEntry& subcommand : command.subcommands)
    text += command_case(subcommand, subcommand.name);
  text +=
      "  esac\n"
      "  if [[ -n $values ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$cur\")\n"
      "  elif [[ $cur == -* || ($COMP_CWORD -gt 0 && $options != -*) ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
      "  fi\n"
      "}\n"
      "complete -o bashdefault -o default -F " +
      function + " " + command.name + "\n";
  return text;
}

}  // namespace genomamba::apps
