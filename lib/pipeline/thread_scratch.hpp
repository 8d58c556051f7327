// SPDX-License-Identifier: MIT
// ThreadScratch: scratch of the threads that compute at the moment.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace genomamba::pipeline {

/// As many as there were threads at once, and kept. Safe to share between threads.
template <typename Scratch>
class ThreadScratch {
 public:
  /// Calls `use` with a scratch that no other thread has.
  template <typename Use>
  void with(const Use& use) {
    std::unique_ptr<Scratch> scratch = take();
    use(*scratch);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(scratch));
  }

 private:
  std::unique_ptr<Scratch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Scratch>();
    auto scratch = std::move(free_.back());
    free_.pop_back();
    return scratch;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

}  // namespace genomamba::pipeline
