// SPDX-License-Identifier: MIT
#include "common/man_page.hpp"

#include <algorithm>
#include <cctype>

#include "genomamba/core/version.hpp"

namespace genomamba::apps {
namespace {

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    "0 success; 1 data or run\\-time error; 2 usage error; 141 when the reader of standard output "
    "went away;\n"
    "130 and 143 after SIGINT and SIGTERM. An error is one line on standard error: program, file, "
    "record, reason.\n";

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// "genomamba-embed" is called "genomamba embed".
std::string spoken_name(std::string name) {
  if (const auto dash = name.find('-'); dash != std::string::npos) name[dash] = ' ';
  return name;
}

std::string synopsis(const CommandEntry& command, const std::string& called) {
  std::string text = "\\fB" + roff_text(called) + "\\fR [\\fIoptions\\fR]";
  for (const OptionEntry& option : command.options) {
    if (option.is_positional) {
      const std::string name =
          "\\fI" + roff_text(option.names.front()) + "\\fR" + (option.is_repeatable ? "..." : "");
      text += option.is_required ? " " + name : " [" + name + "]";
    } else if (option.is_required) {
      text += " \\fB" + roff_text(option.names.front()) + "\\fR \\fI" +
              roff_text(option.value_name) + "\\fR";
    }
  }
  return text + "\n";
}

/// With a full stop, if it does not end in one.
std::string sentence(const std::string& text) {
  return roff_text(text) + (text.empty() || text.back() == '.' ? "" : ".");
}

std::string option_text(const OptionEntry& option) {
  std::string text = ".TP\n";
  for (std::size_t i = 0; i < option.names.size(); ++i) {
    const char* font = option.is_positional ? "\\fI" : "\\fB";
    text += (i > 0 ? ", " : "") + (font + roff_text(option.names[i])) + "\\fR";
  }
  if (!option.value_name.empty()) text += " \\fI" + roff_text(option.value_name) + "\\fR";
  text += "\n" + sentence(option.description);
  if (!option.choices.empty())
    text += "\nOne of: " + roff_text(join_words(option.choices, ", ")) + ".";
  if (!option.default_value.empty()) text += "\nDefault: " + roff_text(option.default_value) + ".";
  if (option.is_required) text += "\nRequired.";
  return text + "\n";
}

/// Options under their headings, in the order in which the headings first appear.
std::string options_text(const CommandEntry& command) {
  std::vector<std::string> groups;
  for (const OptionEntry& option : command.options) {
    const std::string group = option.is_positional ? "Arguments" : option.group;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group == "Arguments"; });
  std::string text;
  for (const std::string& group : groups) {
    text += ".SS " + roff_text(group) + "\n";
    for (const OptionEntry& option : command.options) {
      if ((option.is_positional ? "Arguments" : option.group) == group) text += option_text(option);
    }
  }
  return text;
}

std::string section(const std::string& heading, const std::string& body) {
  return body.empty() ? "" : ".SH " + heading + "\n" + body;
}

std::string verbatim(const std::string& text) {
  return text.empty() ? "" : ".nf\n" + roff_text(text) + "\n.fi\n";
}

std::string subcommand_text(const CommandEntry& command, const std::string& called) {
  std::string text = ".SH " + upper(roff_text(called)) + "\n";
  text += sentence(command.summary) + "\n.PP\n" + synopsis(command, called);
  text += options_text(command);
  if (!command.examples.empty()) text += ".SS Examples\n" + verbatim(command.examples);
  return text;
}

}  // namespace

std::string roff_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    if (c == '-') out += "\\-";
    if (c != '\\' && c != '-') out += c;
  }
  while (!out.empty() && out.back() == '\n')
    out.pop_back();
  return out;
}

std::string man_page(const CommandEntry& command) {
  const std::string called = spoken_name(command.name);
  std::string text = ".TH " + upper(roff_text(command.name)) + " 1 \"\" \"genomamba " +
                     std::string(kVersion) + "\" \"genomamba manual\"\n";
  text += section("NAME", roff_text(command.name) + " \\- " + roff_text(command.summary) + "\n");
  text += ".SH SYNOPSIS\n";
  if (command.subcommands.empty()) text += synopsis(command, called);
  for (std::size_t i = 0; i < command.subcommands.size(); ++i) {
    text += i > 0 ? ".br\n" : "";
    text += synopsis(command.subcommands[i], called + " " + command.subcommands[i].name);
  }
  text += section("OPTIONS", options_text(command));
  for (const CommandEntry& subcommand : command.subcommands)
    text += subcommand_text(subcommand, called + " " + subcommand.name);
  if (!command.notes.empty()) text += section("NOTES", roff_text(command.notes) + "\n");
  text += section("EXAMPLES", verbatim(command.examples));
  text += kExitStatus;
  text += section("SEE ALSO", "\\fBgenomamba\\fR(1)\n");
  return text;
}

}  // namespace genomamba::apps
