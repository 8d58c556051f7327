// SPDX-License-Identifier: MIT
// What `PROGRAM --help-as FORMAT` prints. The build writes the installed man pages and completion
// files with it.
#pragma once

#include <string>

#include "common/command_entry.hpp"

namespace genomamba::apps {

/// The command as `format`: man, bash, zsh or fish. Throws UsageError for another word.
std::string help_as(const std::string& format, const CommandEntry& command);

}  // namespace genomamba::apps
