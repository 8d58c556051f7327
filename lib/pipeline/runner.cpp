// SPDX-License-Identifier: MIT
#include "runner.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

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
  // oneTBB copies its items, so a shared pointer travels; it also frees what a cancelled pipeline
  // leaves behind.
  using Item = std::shared_ptr<WorkItem>;
  const auto source = tbb::make_filter<void, Item>(tbb::filter_mode::serial_in_order,
                                                   [&read](tbb::flow_control& control) -> Item {
                                                     Item item = read();
                                                     if (item == nullptr) control.stop();
                                                     return item;
                                                   });
  const auto middle =
      tbb::make_filter<Item, Item>(tbb::filter_mode::parallel, [&compute](Item item) {
        const kernels::FlushDenormals flush;
        compute(*item);
        return item;
      });
  const auto sink = tbb::make_filter<Item, void>(tbb::filter_mode::serial_in_order,
                                                 [&write](const Item& item) { write(*item); });
  impl_->arena.execute(
      [&] { tbb::parallel_pipeline(2 * impl_->n_threads, source & middle & sink); });
}

}  // namespace genomamba::pipeline
