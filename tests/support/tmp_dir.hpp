// SPDX-License-Identifier: MIT
// TmpDir: a private directory of one test, removed at its end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace genomamba::test {

class TmpDir {
 public:
  TmpDir();
  ~TmpDir();
  TmpDir(const TmpDir&) = delete;
  TmpDir& operator=(const TmpDir&) = delete;

  const std::string& path() const { return path_; }
  /// path() + "/" + name.
  std::string file(std::string_view name) const;
  /// Writes `bytes` to file(name) and returns that path.
  std::string write(std::string_view name, std::string_view bytes) const;
  /// Names of the entries now in the directory, sorted.
  std::vector<std::string> entries() const;

 private:
  std::string path_;
};

/// Whole content of a file; throws std::runtime_error when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace genomamba::test
