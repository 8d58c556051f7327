// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/core_executor.hpp"

#include "runner.hpp"

namespace genomamba::pipeline {

CoreExecutor::CoreExecutor(std::size_t n_threads) : runner_(std::make_unique<Runner>(n_threads)) {}
CoreExecutor::~CoreExecutor() = default;

std::size_t CoreExecutor::concurrency() const noexcept {
  return runner_->n_threads();
}

void CoreExecutor::parallel_for(std::size_t n, const std::function<void(std::size_t)>& body) {
  runner_->executor().parallel_for(n, body);
}

}  // namespace genomamba::pipeline
