// SPDX-License-Identifier: MIT
// The report of a run that a signal ends: made while the run goes, written by the signal's handler.
#pragma once

#include <string>

namespace genomamba::apps {

/// From now on write_interrupt_report writes to `path` ("-" is stdout; a file appears whole, under
/// a temporary name first). Once in a process.
void set_interrupt_report(const std::string& path);
bool has_interrupt_report() noexcept;

/// Replaces what would be written: `before`, the exit status in digits, `after`. One thread at a
/// time.
void publish_interrupt_report(std::string before, std::string after);

/// Writes what was published last, if anything was. Async-signal-safe; the process must end
/// afterwards.
void write_interrupt_report(int exit_status) noexcept;

/// Writes `text` to `path` without any of the library, for a run that stops before it begins.
/// Touches no file but a new one or an earlier report, since nothing has checked that `path` is no
/// input.
void write_early_report(const std::string& path, const std::string& text) noexcept;

}  // namespace genomamba::apps
