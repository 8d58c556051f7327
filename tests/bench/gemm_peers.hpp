// SPDX-License-Identifier: MIT
// The libraries that the projections are compared with: y [rows, N] = x [rows, K] W^T, one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace genomamba::bench {

/// One product, contiguous: x [rows, K], weight [N, K] as PyTorch's Linear has it, y [rows, N].
struct GemmShape {
  std::size_t K, N, rows;
};

/// A library prepared for one shape and one weight; what it can do once per weight is done.
class GemmPeer {
 public:
  virtual ~GemmPeer() = default;
  virtual const char* name() const = 0;
  /// What the library says it runs.
  virtual std::string kernel() const = 0;
  virtual void run(const float* x, float* y) = 0;
};

/// Those that were found when this was built. `weight` must outlive them.
std::vector<std::unique_ptr<GemmPeer>> make_gemm_peers(const GemmShape& shape, const float* weight);

std::unique_ptr<GemmPeer> make_eigen(const GemmShape& shape, const float* weight);
std::unique_ptr<GemmPeer> make_openblas(const GemmShape& shape, const float* weight);
std::unique_ptr<GemmPeer> make_onednn(const GemmShape& shape, const float* weight);

}  // namespace genomamba::bench
