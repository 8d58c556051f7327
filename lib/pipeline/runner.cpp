// SPDX-License-Identifier: MIT
#include "runner.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <mutex>
#include <unordered_map>
#include <utility>

#include "genomamba/kernels/flush_denormals.hpp"

namespace genomamba::pipeline {
namespace {

class TbbExecutor final : public Executor {
 public:
  TbbExecutor(tbb::task_arena& arena, std::size_t n_threads)
      : arena_(arena), n_threads_(n_threads) {}

  std::size_t concurrency() const noexcept override { return n_threads_; }

  void parallel_for(std::size_t n, const std::function<void(std::size_t)>& body) override {
    const auto flushed = [&body](std::size_t i) {
      const kernels::FlushDenormals flush;
      body(i);
    };
    if (n_threads_ == 1 || n <= 1) {
      for (std::size_t i = 0; i < n; ++i)
        flushed(i);
      return;
    }
    arena_.execute([&] {
      tbb::parallel_for(std::size_t{0}, n, std::size_t{1}, flushed, tbb::simple_partitioner{});
    });
  }

 private:
  tbb::task_arena& arena_;
  std::size_t n_threads_;
};

/// Owns the items between read and write.
class ItemStore {
 public:
  WorkItem* keep(std::unique_ptr<WorkItem> item) {
    const std::lock_guard lock(mutex_);
    WorkItem* key = item.get();
    items_.emplace(key, std::move(item));
    return key;
  }
  void drop(WorkItem* item) {
    const std::lock_guard lock(mutex_);
    items_.erase(item);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<WorkItem*, std::unique_ptr<WorkItem>> items_;
};

}  // namespace

struct Runner::Impl {
  explicit Impl(std::size_t threads)
      : n_threads(threads),
        limit(tbb::global_control::max_allowed_parallelism, threads),
        arena(static_cast<int>(threads)),
        executor(arena, threads) {}

  std::size_t n_threads;
  tbb::global_control limit;
  tbb::task_arena arena;
  TbbExecutor executor;
};

Runner::Runner(std::size_t n_threads) : impl_(std::make_unique<Impl>(n_threads)) {}
Runner::~Runner() = default;

std::size_t Runner::n_threads() const noexcept {
  return impl_->n_threads;
}
Executor& Runner::executor() noexcept {
  return impl_->executor;
}

void Runner::run(const Read& read, const Step& compute, const Step& write) {
  ItemStore items;  // a pipeline that an exception cancels forgets what travels in it
  const auto source = tbb::make_filter<void, WorkItem*>(
      tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) -> WorkItem* {
        auto item = read();
        if (item == nullptr) {
          control.stop();
          return nullptr;
        }
        return items.keep(std::move(item));
      });
  const auto middle =
      tbb::make_filter<WorkItem*, WorkItem*>(tbb::filter_mode::parallel, [&](WorkItem* item) {
        const kernels::FlushDenormals flush;
        compute(*item);
        return item;
      });
  const auto sink =
      tbb::make_filter<WorkItem*, void>(tbb::filter_mode::serial_in_order, [&](WorkItem* item) {
        write(*item);
        items.drop(item);
      });
  impl_->arena.execute(
      [&] { tbb::parallel_pipeline(2 * impl_->n_threads, source & middle & sink); });
}

}  // namespace genomamba::pipeline
