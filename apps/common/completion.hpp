// SPDX-License-Identifier: MIT
// Completion of a command line in bash, zsh and fish, written from the parser's definitions.
#pragma once

#include <string>

#include "common/command_entry.hpp"

namespace genomamba::apps {

/// A file for share/bash-completion/completions, named as the command.
std::string bash_completion(const CommandEntry& command);

/// A file for share/zsh/site-functions, named as the command after an underscore.
std::string zsh_completion(const CommandEntry& command);

/// A file for share/fish/vendor_completions.d, named as the command with ".fish".
std::string fish_completion(const CommandEntry& command);

/// Text for the inside of single quotes: a quote becomes `quote` ('\'' in sh, \' in fish).
std::string quoted(const std::string& text, const std::string& quote);

}  // namespace genomamba::apps
