// SPDX-License-Identifier: MIT
#include "runner.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include "catch.hpp"

using namespace genomamba::pipeline;  // NOLINT(google-build-using-namespace)

namespace {

struct Number final : WorkItem {
  explicit Number(int v) : value(v) { ++alive(); }
  ~Number() override { --alive(); }
  static std::atomic<int>& alive() {
    static std::atomic<int> n{0};
    return n;
  }
  int value;
};

Runner::Read count_to(int n, int& next) {
  return [n, &next]() -> std::unique_ptr<WorkItem> {
    return next < n ? std::make_unique<Number>(next++) : nullptr;
  };
}

}  // namespace

TEST_CASE("Items are written in the order of reading, and few are alive at once") {
  for (const std::size_t n_threads : {1U, 2U, 3U}) {
    Runner runner(n_threads);
    int next = 0;
    std::atomic<int> most{0};
    std::vector<int> written;
    runner.run(
        count_to(500, next),
        [&](WorkItem& item) {
          most = std::max(most.load(), Number::alive().load());
          static_cast<Number&>(item).value *= 2;
        },
        [&](WorkItem& item) { written.push_back(static_cast<Number&>(item).value); });
    REQUIRE(written.size() == 500);
    for (int i = 0; i < 500; ++i)
      CHECK(written[static_cast<std::size_t>(i)] == 2 * i);
    CHECK(most <= static_cast<int>(2 * n_threads));
    CHECK(Number::alive() == 0);
  }
}

TEST_CASE("An exception of any stage comes out and nothing leaks") {
  Runner runner(2);
  for (int stage = 0; stage < 3; ++stage) {
    int next = 0;
    const auto fail_at = [stage](int at, WorkItem& item) {
      if (stage == at && static_cast<Number&>(item).value == 20) throw std::runtime_error("stage");
    };
    const Runner::Read counting = count_to(100, next);
    const Runner::Read read = [&]() {
      if (stage == 0 && next == 20) throw std::runtime_error("stage");
      return counting();
    };
    CHECK_THROWS_AS(runner.run(
                        read, [&](WorkItem& item) { fail_at(1, item); },
                        [&](WorkItem& item) { fail_at(2, item); }),
                    std::runtime_error);
    CHECK(Number::alive() == 0);
  }
}

TEST_CASE("The executor runs each index once") {
  for (const std::size_t n_threads : {1U, 3U}) {
    Runner runner(n_threads);
    CHECK(runner.executor().concurrency() == n_threads);
    std::vector<std::atomic<int>> calls(100);
    runner.executor().parallel_for(calls.size(), [&](std::size_t i) { ++calls[i]; });
    for (const auto& n : calls)
      CHECK(n == 1);
    CHECK_THROWS_AS(runner.executor().parallel_for(4,
                                                   [](std::size_t i) {
                                                     if (i == 2) throw std::runtime_error("x");
                                                   }),
                    std::runtime_error);
  }
}
