// SPDX-License-Identifier: MIT
// The launcher's help, as text, as a manual page, and as completion that hands over to the apps'.
#pragma once

#include <string>

namespace genomamba::apps::launcher {

/// The list of apps, for --help.
std::string help_text();

/// format: man, bash, zsh or fish. Throws UsageError for another word.
std::string help_as(const std::string& format);

/// Completion of the first word; the rest is completed as the app's own program is.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace genomamba::apps::launcher
