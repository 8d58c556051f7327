// SPDX-License-Identifier: MIT
// How a record longer than the window is cut.
#pragma once

#include <cstddef>
#include <vector>

namespace genomamba::pipeline {

/// One window of a record, 0-based half-open. The model reads [start, end); positions from
/// `new_begin` on have not been in an earlier window: they are the ones pooled, so that each
/// position counts once.
struct Window {
  std::size_t start = 0;
  std::size_t end = 0;
  std::size_t new_begin = 0;
};

/// Windows of `window` positions, each beginning window - overlap after the last; the last one is
/// moved left to full length. window 0, or length <= window: one window. Precondition: overlap <
/// window, or window 0.
std::vector<Window> make_windows(std::size_t length, std::size_t window, std::size_t overlap);

}  // namespace genomamba::pipeline
