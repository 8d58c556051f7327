// SPDX-License-Identifier: MIT
// BigWigReader: contigs and values of a bigWig.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "genomamba/io/reference_reader.hpp"

namespace genomamba::io {

/// One thread at a time.
class BigWigReader {
 public:
  /// Throws InputError: missing, no bigWig, damaged.
  explicit BigWigReader(const std::string& path);
  ~BigWigReader();

  /// In the file's order.
  const std::vector<Contig>& contigs() const noexcept;

  /// Receives [begin, end), 0-based half-open, and its value; returns false to stop.
  using TakeInterval = std::function<bool(std::uint64_t begin, std::uint64_t end, float value)>;
  /// The intervals that overlap [begin, end) of a contig, ascending. Throws InputError.
  void read(std::size_t contig, std::uint64_t begin, std::uint64_t end,
            const TakeInterval& take) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::io
