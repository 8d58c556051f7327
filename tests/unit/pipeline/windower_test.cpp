// SPDX-License-Identifier: MIT
#include "windower.hpp"

#include "catch.hpp"

using genomamba::pipeline::make_windows;

TEST_CASE("A record no longer than the window is one window") {
  for (const std::size_t window : {std::size_t{0}, std::size_t{10}, std::size_t{11}}) {
    const auto windows = make_windows(10, window, 0);
    REQUIRE(windows.size() == 1);
    CHECK(windows[0].start == 0);
    CHECK(windows[0].end == 10);
    CHECK(windows[0].new_begin == 0);
  }
  CHECK(make_windows(0, 5, 0).empty());
}

TEST_CASE("The last window is moved left to full length") {
  const auto windows = make_windows(25, 10, 0);
  REQUIRE(windows.size() == 3);
  CHECK(windows[2].start == 15);
  CHECK(windows[2].end == 25);
  CHECK(windows[2].new_begin == 20);
}

TEST_CASE("Every position is new in exactly one window, and all windows have full length") {
  for (std::size_t length = 1; length < 60; ++length) {
    for (std::size_t window = 1; window < 12; ++window) {
      for (std::size_t overlap = 0; overlap < window; ++overlap) {
        std::size_t covered = 0;
        for (const auto& w : make_windows(length, window, overlap)) {
          CHECK(w.new_begin == covered);
          CHECK(w.start <= w.new_begin);
          CHECK(w.end > w.new_begin);
          CHECK(w.end - w.start == (length < window ? length : window));
          covered = w.end;
        }
        CHECK(covered == length);
      }
    }
  }
}
