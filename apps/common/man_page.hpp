// SPDX-License-Identifier: MIT
// A manual page (section 1, man macros) of a command.
#pragma once

#include <string>

#include "common/command_entry.hpp"

namespace genomamba::apps {

/// The page of a program. Options stand under the headings of --help, subcommands with theirs
/// after them.
std::string man_page(const CommandEntry& command);

/// Text as roff shows it unchanged: backslashes, hyphens, and dots or quotes that begin a line.
std::string roff_text(const std::string& text);

}  // namespace genomamba::apps
