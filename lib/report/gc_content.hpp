// SPDX-License-Identifier: MIT
// GC content of records (--sequences). Private to report.
#pragma once

#include <string>
#include <vector>

namespace genomamba::report {

/// Share of G and C among A, C, G, T of each record of `ids`, as text with three decimals; empty
/// for an id that no file has or without such letters. Mates have /1 and /2 in their
/// id, as in the row table. Throws InputError.
std::vector<std::string> gc_content(const std::vector<std::string>& paths,
                                    const std::vector<std::string>& ids);

}  // namespace genomamba::report
