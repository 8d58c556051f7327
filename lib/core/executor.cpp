// SPDX-License-Identifier: MIT
#include "genomamba/core/executor.hpp"

namespace genomamba {
namespace {

class SerialExecutor final : public Executor {
 public:
  std::size_t concurrency() const noexcept override { return 1; }
  void parallel_for(std::size_t n, const std::function<void(std::size_t)>& body) override {
    for (std::size_t i = 0; i < n; ++i)
      body(i);
  }
};

}  // namespace

Executor& serial_executor() noexcept {
  static SerialExecutor executor;
  return executor;
}

}  // namespace genomamba
