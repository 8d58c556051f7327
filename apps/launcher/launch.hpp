// SPDX-License-Identifier: MIT
// What the launcher does for each first word of its command line.
#pragma once

#include <string>
#include <vector>

namespace genomamba::apps::launcher {

/// One app of the toolkit.
struct Entry {
  const char* name;
  const char* summary;
};

/// The apps, in the order in which help lists them.
const std::vector<Entry>& entries();

/// Several lines: git hash, compiler, ISA levels built and chosen, library versions.
std::string version_text();

/// Replaces this process by genomamba-<app> beside it (or in PATH). Throws Error if that cannot be
/// started.
[[noreturn]] void start_app(const std::string& app, std::vector<std::string> arguments);

}  // namespace genomamba::apps::launcher
