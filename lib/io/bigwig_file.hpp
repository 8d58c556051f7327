// SPDX-License-Identifier: MIT
// BigWigFile: libBigWig's writer with its known faults fenced off. Private to io.
#pragma once

#include <bigWig.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bigwig_zoom.hpp"
#include "genomamba/io/reference_reader.hpp"

namespace genomamba::io {

/// What was written, for the comparison afterwards.
struct BigWigTotals {
  std::uint64_t n_values = 0;
  double minimum = 0;
  double maximum = 0;
  double sum = 0;
  double sum_squared = 0;
};

/// Of libBigWig 0.4: an unwritable path crashes, so the caller makes the file; a failed flush
/// inside a call runs over its buffer, so no call gets more than one block holds; minimum, maximum
/// and the end of a block are wrong, so they are set here; its zoom levels read the whole file back
/// and lose sums, so they are given to it ready; closing hides errors, so the stream is flushed and
/// checked first. After an error the handle is left alone: freeing it is not safe.
class BigWigFile {
 public:
  /// `path`: an existing, writable file. `zooms`: one level each, ascending bin size. Throws
  /// OutputError; `name` is what messages call it.
  BigWigFile(const std::string& path, const std::string& name, const std::vector<Contig>& contigs,
             std::size_t n_zooms);
  BigWigFile(const BigWigFile&) = delete;
  BigWigFile& operator=(const BigWigFile&) = delete;

  /// The most values that one add() takes.
  static constexpr std::uint32_t kBlockValues = 4096;
  /// One block: values of consecutive positions.
  void add(const std::string& contig, std::uint32_t begin, const float* values, std::uint32_t n);
  /// Writes index, totals and zoom levels, flushes, closes.
  void finish(const BigWigTotals& totals, std::vector<BigWigZoom>& zooms);

 private:
  void check(int status, const char* what);
  void give_zooms(std::vector<BigWigZoom>& zooms);

  std::string name_;
  bigWigFile_t* file_;
};

/// Opens a finished file as a reader would and compares: contigs, totals, zoom levels, and some
/// values at both ends and in the middle. Throws OutputError.
struct BigWigSample {
  std::size_t contig = 0;
  std::uint32_t begin = 0;
  std::vector<float> values;
};
void verify_bigwig(const std::string& path, const std::string& name,
                   const std::vector<Contig>& contigs, const BigWigTotals& totals,
                   std::size_t n_zooms, const std::vector<BigWigSample>& samples);

}  // namespace genomamba::io
