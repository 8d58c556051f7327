// SPDX-License-Identifier: MIT
// CoreExecutor: the Executor on oneTBB, for programs that call the kernels or the model themselves.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "genomamba/core/executor.hpp"

namespace genomamba::pipeline {

class Runner;

/// Uses at most n_threads threads, the calling one included; denormals are flushed to zero in each
/// while it works. One call at a time. While several of these live, the smallest number holds for
/// all.
class CoreExecutor final : public Executor {
 public:
  explicit CoreExecutor(std::size_t n_threads);
  ~CoreExecutor() override;

  std::size_t concurrency() const noexcept override;
  void parallel_for(std::size_t n, const std::function<void(std::size_t)>& body) override;

 private:
  std::unique_ptr<Runner> runner_;
};

}  // namespace genomamba::pipeline
