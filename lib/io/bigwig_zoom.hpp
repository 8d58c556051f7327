// SPDX-License-Identifier: MIT
// BigWigZoom: the summaries of one zoom level, gathered while values come. Private to io.
#pragma once

#include <cstdint>
#include <vector>

namespace genomamba::io {

/// One summary as a bigWig stores it (Kent et al. 2010, table 19).
struct ZoomRecord {
  std::uint32_t contig = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t n_covered = 0;
  float minimum = 0;
  float maximum = 0;
  float sum = 0;
  float sum_squared = 0;
};

/// Bins of `size` bases, of which only those with values are kept.
class BigWigZoom {
 public:
  explicit BigWigZoom(std::uint32_t size) : size_(size) {}

  std::uint32_t size() const noexcept { return size_; }
  /// Values of consecutive positions; contigs and positions ascend. `length`: bases of the contig.
  void add(std::uint32_t contig, std::uint32_t begin, const float* values, std::uint32_t n,
           std::uint32_t length);
  const std::vector<ZoomRecord>& records();

 private:
  void close_bin();

  std::uint32_t size_;
  bool is_open_ = false;
  ZoomRecord bin_;
  double sum_ = 0;
  double sum_squared_ = 0;
  std::vector<ZoomRecord> records_;
};

}  // namespace genomamba::io
