// SPDX-License-Identifier: MIT
#include "common/help_as.hpp"

#include "common/completion.hpp"
#include "common/man_page.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::apps {

std::string help_as(const std::string& format, const CommandEntry& command) {
  if (format == "man") return man_page(command);
  if (format == "bash") return bash_completion(command);
  if (format == "zsh") return zsh_completion(command);
  if (format == "fish") return fish_completion(command);
  throw UsageError("--help-as " + format + ": man, bash, zsh or fish is wanted");
}

}  // namespace genomamba::apps
