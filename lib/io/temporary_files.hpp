// SPDX-License-Identifier: MIT
// The temporary files of this process, known to a table that a signal handler may read. Private to
// io.
#pragma once

#include <string>

namespace genomamba::io {

/// A name that remove_temporary_files() unlinks as long as this object lives. Movable is not
/// needed: one owner, one place. Throws OutputError if the name is too long or too many files are
/// open.
class TemporaryName {
 public:
  explicit TemporaryName(const std::string& path);
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

 private:
  std::size_t slot_;
};

}  // namespace genomamba::io
