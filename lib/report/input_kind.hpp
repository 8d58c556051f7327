// SPDX-License-Identifier: MIT
// Which kind of file an input is, by its first bytes. Private to report.
#pragma once

#include <string>

namespace genomamba::report {

enum class InputKind { kEmbedding, kRowTable, kScoreTsv, kBedGraph, kBigWig, kVcf, kRunReport };

/// Throws InputError: missing, unreadable, none of the known kinds (what it seems to be is named).
InputKind recognise(const std::string& path);

}  // namespace genomamba::report
