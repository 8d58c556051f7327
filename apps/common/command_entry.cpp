// SPDX-License-Identifier: MIT
#include "common/command_entry.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>

namespace genomamba::apps {
namespace {

/// "TEXT:{mean,max}" -> mean, max.
std::vector<std::string> parse_choices(const std::string& type_name) {
  std::vector<std::string> choices;
  const auto open = type_name.find('{');
  const auto close = type_name.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return choices;
  for (std::size_t begin = open + 1; begin < close;) {
    const std::size_t end = std::min(type_name.find(',', begin), close);
    choices.push_back(type_name.substr(begin, end - begin));
    begin = end + 1;
  }
  return choices;
}

/// What stands for the value in a synopsis: N for numbers, else the option's name.
std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  for (const char* number : {"UINT", "INT", "FLOAT"}) {
    if (type.rfind(number, 0) == 0) return "N";
  }
  std::string name = option.get_lnames().empty() ? "VALUE" : option.get_lnames().front();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return c == '-' ? '_' : std::toupper(c); });
  return name;
}

OptionEntry describe_option(const CLI::Option& option) {
  OptionEntry entry;
  entry.is_positional = option.get_positional();
  if (entry.is_positional) entry.names = {option.get_name(true)};
  for (const std::string& name : option.get_snames())
    entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    entry.names.push_back("--" + name);
  entry.takes_value = option.get_items_expected_max() > 0;
  entry.is_required = option.get_required();
  entry.is_repeatable = option.get_items_expected_max() > 1;
  if (entry.takes_value && !entry.is_positional) entry.value_name = value_name(option);
  if (entry.takes_value) entry.choices = parse_choices(option.get_type_name());
  entry.description = option.get_description();
  entry.default_value = option.get_default_str();
  entry.group = option.get_group();
  return entry;
}

}  // namespace

std::string join_words(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : between) + word;
  return text;
}

void set_footer(CommandEntry& command, const std::string& footer) {
  for (const std::string heading : {"Examples:\n", "Example:\n"}) {
    const auto at = footer.find(heading);
    if (at == std::string::npos) continue;
    command.notes = footer.substr(0, at);
    command.examples = footer.substr(at + heading.size());
    return;
  }
  command.notes = footer;
}

CommandEntry describe_command(const CLI::App& app) {
  CommandEntry command;
  command.name = app.get_name();
  command.summary = app.get_description();
  for (const CLI::Option* option : app.get_options([](const CLI::Option* candidate) {
         return !candidate->get_group().empty();  // an empty group hides an option
       })) {
    command.options.push_back(describe_option(*option));
  }
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; }))
    command.subcommands.push_back(describe_command(*subcommand));
  set_footer(command, app.get_footer());
  return command;
}

}  // namespace genomamba::apps
