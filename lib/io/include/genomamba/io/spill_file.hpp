// SPDX-License-Identifier: MIT
// SpillFile: numbers that do not fit in memory, kept in a nameless file until the run ends.
#pragma once

#include <cstdint>
#include <span>

namespace genomamba::io {

/// In TMPDIR, else /tmp. The file has no name: nothing is left behind, whatever happens. Reads and
/// writes of disjoint places may run in several threads. Numbers never written read as 0.
class SpillFile {
 public:
  /// Throws OutputError.
  SpillFile();
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// `first`: index of the first number. Throws OutputError: no space left, ...
  void write(std::uint64_t first, std::span<const float> numbers);
  void read(std::uint64_t first, std::span<float> numbers) const;

 private:
  int fd_;
};

}  // namespace genomamba::io
