// SPDX-License-Identifier: MIT
// ResumeFile: finished blocks of a run, in a file that outlives it, for the run that goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace genomamba::io {

/// Something that the blocks depend on.
struct ResumeFact {
  std::string name;       ///< an option's name, a path; no tab, no line end (they are escaped)
  std::string value;      ///< compared as text
  bool is_input = false;  ///< a file: a change is an error of the data, not of the command line
};

/// The file is made when it is missing or empty and stays until remove(). A block counts only when
/// all of it is there, by length and SHA-256: one that a signal cut short is computed again.
class ResumeFile {
 public:
  /// Throws UsageError or InputError (by is_input) naming the first fact that differs from those of
  /// the run that began the file; UsageError when `path` is another kind of file, which is left
  /// alone; OutputError, also when another run has it open.
  ResumeFile(const std::string& path, const std::vector<ResumeFact>& facts);
  ~ResumeFile();
  ResumeFile(const ResumeFile&) = delete;
  ResumeFile& operator=(const ResumeFile&) = delete;

  /// The next stored block, in the order of append(); false when there is no other.
  bool read(std::string& block);
  /// Precondition: read() has returned false. The block survives the process from here on.
  void append(std::string_view block);
  /// The run has succeeded.
  void remove();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What tells a file from a changed one: size, time of change, SHA-256 of its first and last 16
/// MiB. Throws InputError; UsageError for stdin and whatever cannot be read twice.
ResumeFact input_fact(const std::string& path);

}  // namespace genomamba::io
