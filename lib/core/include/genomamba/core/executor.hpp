// SPDX-License-Identifier: MIT
// Executor: how the model asks for several cores without knowing any thread library.
#pragma once

#include <cstddef>
#include <functional>

namespace genomamba {

/// Runs independent pieces of work. The library's own is serial; pipeline passes one made on
/// oneTBB.
class Executor {
 public:
  virtual ~Executor() = default;

  /// How many pieces can run at once; at least 1.
  virtual std::size_t concurrency() const noexcept = 0;

  /// Calls body(i) for each i in [0, n), in any order, perhaps at once, and returns when all have
  /// ended. The first exception of a body is rethrown here.
  virtual void parallel_for(std::size_t n, const std::function<void(std::size_t)>& body) = 0;
};

/// One core: body(0), body(1), ... in the calling thread. Stateless, safe to share.
Executor& serial_executor() noexcept;

}  // namespace genomamba
