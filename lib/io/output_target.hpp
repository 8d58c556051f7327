// SPDX-License-Identifier: MIT
// OutputTarget: what an output name stands for. Private to io.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace genomamba::io {

/// Where bytes go. Invariant: `descriptor` is set for names of an open descriptor ("-",
/// /dev/stdout, /dev/fd/3); otherwise `path` is what is opened or replaced, symbolic links at its
/// end followed.
struct OutputTarget {
  std::optional<int> descriptor;
  std::string path;
  /// True: a device, a FIFO or an open descriptor, written directly; false: a regular file, made
  /// under another name.
  bool is_direct = false;
  /// Permissions of the file that will be replaced.
  std::optional<mode_t> mode;
};

/// Throws OutputError: a directory, a file without write permission, too many symbolic links.
OutputTarget resolve_output(const std::string& name);

/// The directory part: "a/b" -> "a", "b" -> ".", "/b" -> "/".
std::string directory_of(const std::string& path);

}  // namespace genomamba::io
