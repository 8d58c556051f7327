// SPDX-License-Identifier: MIT
// Packing of projection weights and the call of their table.
#include "genomamba/kernels/linear.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "kernel_table.hpp"
#include "linear_layout.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace genomamba::kernels {
namespace {

/// Room for n floats that are yet to be touched; large ones on huge pages where the system has
/// them: such weights pass through the caches once a block of rows, and every small page costs a
/// walk.
AlignedBuffer<float> untouched(std::size_t n) {
  AlignedBuffer<float> buffer;
  buffer.resize_discard(n);
#if defined(__linux__)
  constexpr std::size_t kHugePage = std::size_t{1} << 21;
  constexpr std::size_t kPage = 4096;
  const std::size_t n_bytes = n * sizeof(float);
  if (n_bytes >= kHugePage) {
    const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(buffer.data()) % kPage;
    // Advice alone: what it returns changes nothing.
    ::madvise(reinterpret_cast<char*>(buffer.data()) + skipped, n_bytes - skipped, MADV_HUGEPAGE);
  }
#endif
  return buffer;
}

}  // namespace

PackedLinear::PackedLinear(Span2d<const float> weight, const float* bias)
    : table_(&active_table()), in_features_(weight.cols()), out_features_(weight.rows()) {
  const std::size_t lanes = table_->lanes;
  const PanelPlan plan = plan_panels(out_features_, lanes);
  const std::size_t padded = plan.n_vectors * lanes;
  panels_ = untouched(padded * in_features_);
  float* out = panels_.data();
  for (std::size_t n = 0; n < padded;) {
    const std::size_t width = (n < plan.n_pairs * 2 * lanes ? 2 : plan.last_width) * lanes;
    for (std::size_t k = 0; k < in_features_; ++k) {
      for (std::size_t j = n; j < n + width; ++j)
        *out++ = j < out_features_ ? weight.row_data(j)[k] : 0.0F;
    }
    n += width;
  }
  if (bias != nullptr) {
    bias_ = AlignedBuffer<float>(padded);
    std::copy_n(bias, out_features_, bias_.data());
  }
}

void linear(Span2d<const float> x, const PackedLinear& weights, Span2d<float> y,
            const LinearEpilogue& epilogue) {
  assert(x.cols() == weights.in_features() && y.cols() == weights.out_features() &&
         x.rows() == y.rows());
  if (x.rows() == 0 || weights.out_features() == 0) return;
  weights.table().linear({
      .x = x.data(),
      .x_stride = x.stride(),
      .rows = x.rows(),
      .in_features = weights.in_features(),
      .out_features = weights.out_features(),
      .panels = weights.panels(),
      .bias = weights.bias(),
      .row_scale = epilogue.row_scale,
      .silu_begin = epilogue.silu_begin,
      .accumulate = epilogue.accumulate,
      .y = y.data(),
      .y_stride = y.stride(),
  });
}

}  // namespace genomamba::kernels
