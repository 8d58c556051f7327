// SPDX-License-Identifier: MIT
// Text on stdout, checked like any output, and the one try/catch that turns an error into a line
// and a status.
#pragma once

#include <functional>
#include <string>

namespace genomamba::apps {

/// Writes `text` to stdout; returns 0. Throws OutputError, BrokenPipe.
int print(const std::string& text);

/// Calls `body` and returns its status; an exception becomes `NAME: error: ...` on stderr and its
/// exit status.
int guarded(const std::string& name, const std::function<int()>& body);

}  // namespace genomamba::apps
