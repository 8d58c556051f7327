// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <vector>

#include "common/command_entry.hpp"
#include "common/completion.hpp"
#include "launcher/help.hpp"
#include "launcher/launch.hpp"

namespace genomamba::apps::launcher {
namespace {

std::string app_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries())
    names.emplace_back(entry.name);
  return join_words(names, " ");
}

}  // namespace

std::string bash_completion() {
  return "# bash completion of genomamba; each app's own file completes the rest\n"
         "_genomamba() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} app=${COMP_WORDS[1]} apps='" +
         app_names() +
         "'\n"
         "  COMPREPLY=()\n"
         "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$apps help version --version --version-only "
         "--help\" -- \"$cur\")\n"
         "  elif [[ $app == help ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$apps\" -- \"$cur\")\n"
         "  elif [[ \" $apps \" == *\" $app \"* ]]; then\n"
         "    declare -F \"_genomamba_$app\" >/dev/null || "
         "source \"${BASH_SOURCE[0]%/*}/genomamba-$app\"\n"
         "    \"_genomamba_$app\"\n"
         "  fi\n"
         "}\n"
         "complete -o bashdefault -o default -F _genomamba genomamba\n";
}

std::string zsh_completion() {
  std::string list;
  for (const Entry& entry : entries())
    list += fmt::format("  '{}:{}'\n", entry.name, quoted(entry.summary, "'\\''"));
  return "#compdef genomamba\n# Each app's own file completes the rest.\n"
         "local -a apps\napps=(\n" +
         list +
         ")\n"
         "if (( CURRENT == 2 )); then\n"
         "  _describe app apps\n"
         "  compadd help version\n"
         "  [[ $PREFIX == -* ]] && compadd -- --version --version-only --help\n"
         "elif [[ $words[2] == help ]]; then\n"
         "  _describe app apps\n"
         "else\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  _call_function ret _genomamba-$words[1]\n"
         "fi\n";
}

std::string fish_completion() {
  std::string text =
      "# fish completion of genomamba; each app's own file completes the rest\n"
      "function __genomamba_rest\n"
      "  set -l words (commandline -opc)\n"
      "  set -l line genomamba-$words[2] $words[3..-1]\n"
      "  complete -C (string join ' ' -- (string escape -- $line))' '(commandline -ct)\n"
      "end\n"
      "complete -c genomamba -f -n 'not __fish_use_subcommand' -a '(__genomamba_rest)'\n"
      "complete -c genomamba -n __fish_use_subcommand -l version -d 'One line: name and version'\n"
      "complete -c genomamba -n __fish_use_subcommand -l version-only -d 'The bare version "
      "number'\n"
      "complete -c genomamba -n __fish_use_subcommand -s h -l help -d 'The list of apps'\n"
      "complete -c genomamba -f -n __fish_use_subcommand -a help -d 'The options of an app'\n"
      "complete -c genomamba -f -n __fish_use_subcommand -a version -d 'How it was built'\n";
  for (const Entry& entry : entries()) {
    text += fmt::format("complete -c genomamba -f -n __fish_use_subcommand -a {} -d '{}'\n",
                        entry.name, quoted(entry.summary, "\\'"));
  }
  text +=
      "complete -c genomamba -f -n '__fish_seen_subcommand_from help' -a '" + app_names() + "'\n";
  return text;
}

}  // namespace genomamba::apps::launcher
