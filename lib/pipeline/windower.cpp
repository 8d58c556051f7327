// SPDX-License-Identifier: MIT
#include "windower.hpp"

#include <cassert>

namespace genomamba::pipeline {

std::vector<Window> make_windows(std::size_t length, std::size_t window, std::size_t overlap) {
  if (length == 0) return {};
  if (window == 0 || length <= window) return {{0, length, 0}};
  assert(overlap < window);
  std::vector<Window> windows;
  const std::size_t step = window - overlap;
  std::size_t covered = 0;
  for (std::size_t start = 0; covered < length; start += step) {
    const std::size_t first = start + window <= length ? start : length - window;
    windows.push_back({first, first + window, covered});
    covered = first + window;
  }
  return windows;
}

}  // namespace genomamba::pipeline
