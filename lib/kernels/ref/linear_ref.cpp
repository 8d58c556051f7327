// SPDX-License-Identifier: MIT
// y = x W^T + b, one dot product after the other.
#include "linear_layout.hpp"
#include "ref/math_ref.hpp"
#include "ref/table_ref.hpp"

namespace genomamba::kernels::ref {
namespace {

/// Where column n of the weights begins, and the distance between its elements (linear_layout.hpp).
struct Column {
  const float* data;
  std::size_t stride;
};

Column column_of(const LinearCall& call, std::size_t n) {
  const std::size_t lanes = kRefTable.lanes;
  const PanelPlan plan = plan_panels(call.out_features, lanes);
  const std::size_t in_pairs = plan.n_pairs * 2 * lanes;
  const std::size_t width = (n < in_pairs ? 2 : plan.last_width) * lanes;
  const std::size_t first = n < in_pairs ? n / width * width : in_pairs;
  return {call.panels + first * call.in_features + (n - first), width};
}

}  // namespace

void linear(const LinearCall& call) noexcept {
  for (std::size_t n = 0; n < call.out_features; ++n) {
    const Column weight = column_of(call, n);
    for (std::size_t m = 0; m < call.rows; ++m) {
      const float* x = call.x + m * call.x_stride;
      double sum = 0.0;
      for (std::size_t k = 0; k < call.in_features; ++k) {
        sum += static_cast<double>(x[k]) * static_cast<double>(weight.data[k * weight.stride]);
      }
      if (call.row_scale != nullptr) sum *= static_cast<double>(call.row_scale[m]);
      if (call.bias != nullptr) sum += static_cast<double>(call.bias[n]);
      if (n >= call.silu_begin) sum = silu(sum);
      float& y = call.y[m * call.y_stride + n];
      y = static_cast<float>(call.accumulate ? static_cast<double>(y) + sum : sum);
    }
  }
}

}  // namespace genomamba::kernels::ref
