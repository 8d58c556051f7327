// SPDX-License-Identifier: MIT
#include "bigwig_zoom.hpp"

#include <algorithm>

namespace genomamba::io {

void BigWigZoom::close_bin() {
  if (!is_open_) return;
  bin_.sum = static_cast<float>(sum_);
  bin_.sum_squared = static_cast<float>(sum_squared_);
  records_.push_back(bin_);
  is_open_ = false;
}

void BigWigZoom::add(std::uint32_t contig, std::uint32_t begin, const float* values,
                     std::uint32_t n, std::uint32_t length) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t position = begin + i;
    if (!is_open_ || contig != bin_.contig || position >= bin_.end) {
      close_bin();
      const std::uint32_t start = position / size_ * size_;
      bin_ = {contig, start,     length - start > size_ ? start + size_ : length,
              0,      values[i], values[i],
              0,      0};
      sum_ = sum_squared_ = 0;
      is_open_ = true;
    }
    const float value = values[i];
    ++bin_.n_covered;
    bin_.minimum = std::min(bin_.minimum, value);
    bin_.maximum = std::max(bin_.maximum, value);
    sum_ += value;
    sum_squared_ += static_cast<double>(value) * value;
  }
}

const std::vector<ZoomRecord>& BigWigZoom::records() {
  close_bin();
  return records_;
}

}  // namespace genomamba::io
