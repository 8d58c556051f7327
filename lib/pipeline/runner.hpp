// SPDX-License-Identifier: MIT
// Runner: the only door to oneTBB. Reads and writes serially and in order, computes on all cores in
// between.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "genomamba/core/executor.hpp"

namespace genomamba::pipeline {

/// Anything that travels through Runner::run.
class WorkItem {
 public:
  virtual ~WorkItem() = default;
};

/// Uses at most n_threads threads, the calling one included. One run at a time.
class Runner {
 public:
  explicit Runner(std::size_t n_threads);
  ~Runner();

  std::size_t n_threads() const noexcept;
  /// All cores for one piece of work (a long record). Inside run, by the reading stage alone: a
  /// chain of chunks whose state makes them serial, with the other stages beside it.
  Executor& executor() noexcept;

  using Read = std::function<std::unique_ptr<WorkItem>()>;
  using Step = std::function<void(WorkItem&)>;

  /// Until `read` returns null: read (serial), compute (parallel, denormals flushed to zero), write
  /// (serial, in the order of reading). At most 2 n_threads items are alive. The first exception of
  /// a stage is rethrown here.
  void run(const Read& read, const Step& compute, const Step& write);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::pipeline
