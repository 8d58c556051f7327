// SPDX-License-Identifier: MIT
// The projections: y = x W^T + b over weights packed once, with epilogues fused.
#pragma once

#include <cstddef>

#include "genomamba/core/aligned_buffer.hpp"
#include "genomamba/core/span2d.hpp"

namespace genomamba::kernels {

struct KernelTable;

/// A weight matrix laid out for the micro-kernel of the ISA that was active when it was made (which
/// then also runs it). Immutable, shareable between threads.
class PackedLinear {
 public:
  PackedLinear() = default;
  /// weight [out_features, in_features] as PyTorch's Linear stores it; bias [out_features] or null.
  explicit PackedLinear(Span2d<const float> weight, const float* bias = nullptr);

  std::size_t in_features() const noexcept { return in_features_; }
  std::size_t out_features() const noexcept { return out_features_; }
  const float* panels() const noexcept { return panels_.data(); }
  /// [out_features] padded with zeros to the panel width, or null.
  const float* bias() const noexcept { return bias_.data(); }
  /// The kernels of that ISA (internal).
  const KernelTable& table() const noexcept { return *table_; }

 private:
  const KernelTable* table_ = nullptr;
  std::size_t in_features_ = 0;
  std::size_t out_features_ = 0;
  AlignedBuffer<float> panels_;
  AlignedBuffer<float> bias_;
};

/// What is done with each product before it is stored, in this order.
struct LinearEpilogue {
  /// [rows] or null: the product of row m is multiplied by row_scale[m] (a folded RMSNorm), then
  /// the bias is added.
  const float* row_scale = nullptr;
  /// Columns from here on are passed through SiLU (the z half of in_proj). Default: none.
  std::size_t silu_begin = static_cast<std::size_t>(-1);
  /// y += result instead of y = result (the residual stream).
  bool accumulate = false;
};

/// y [rows, out_features] from x [rows, in_features], in the calling thread. Every output element
/// is summed in an order fixed by in_features alone, so the result does not depend on how rows are
/// cut into calls, to the bit.
void linear(Span2d<const float> x, const PackedLinear& weights, Span2d<float> y,
            const LinearEpilogue& epilogue = {});

}  // namespace genomamba::kernels
