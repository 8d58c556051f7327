// SPDX-License-Identifier: MIT
// What must be known about a JSON text before a parser may see it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace genomamba::checkpoint {

/// `text` with the bare words NaN, Infinity and -Infinity outside strings put between quotes.
/// Throws CheckpointError when brackets nest deeper than `max_depth`, which bounds the work and
/// memory of any parser.
std::string prepare_json(std::string_view text, std::size_t max_depth, const std::string& path);

/// A name from an untrusted file, fit for a message: control characters as '?', at most 200 bytes.
std::string printable(std::string_view name);

/// The lines of a Git LFS pointer begin so.
bool is_git_lfs_pointer(std::string_view head);
/// Throws the error that explains a pointer.
[[noreturn]] void throw_git_lfs_pointer(const std::string& path);

}  // namespace genomamba::checkpoint
