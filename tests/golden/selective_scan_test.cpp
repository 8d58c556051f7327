// SPDX-License-Identifier: MIT
// The public selective scan against mamba_ssm's selective_scan_ref (data/selective_scan, by
// scripts/export_selective_scan.py), for every instruction set that this machine can run.
#include "genomamba/kernels/selective_scan.hpp"

#include <cmath>
#include <set>
#include <string>

#include "catch.hpp"
#include "genomamba/checkpoint/tensor_source.hpp"
#include "genomamba/kernels/isa.hpp"

using namespace genomamba;

namespace {

constexpr float kTolerance = 1e-4F;

/// The tensors of one case.
struct Case {
  explicit Case(const checkpoint::TensorSource& source, const std::string& name) {
    const auto read = [&](const char* part) {
      const checkpoint::Tensor* tensor = source.find(name + "." + part);
      return tensor == nullptr ? AlignedBuffer<float>() : checkpoint::to_float(*tensor);
    };
    const auto& A_shape = source.find(name + ".A")->shape;
    d_inner = A_shape[0];
    d_state = A_shape[1];
    seqlen = source.find(name + ".u")->shape[0];
    u = read("u");
    delta = read("delta");
    A = read("A");
    B = read("B");
    C = read("C");
    D = read("D");
    z = read("z");
    delta_bias = read("delta_bias");
    out = read("out");
    last_state = read("last_state");
  }

  kernels::SelectiveScanArgs args(float* out_found, float* state_found) const {
    return {.seqlen = seqlen,
            .d_inner = d_inner,
            .d_state = d_state,
            .channel_begin = 0,
            .channel_end = d_inner,
            .u = u.data(),
            .u_stride = d_inner,
            .delta = delta.data(),
            .delta_stride = d_inner,
            .A = A.data(),
            .B = B.data(),
            .B_stride = d_state,
            .C = C.data(),
            .C_stride = d_state,
            .D = D.data(),
            .z = z.data(),
            .z_stride = d_inner,
            .delta_bias = delta_bias.data(),
            .delta_softplus = true,
            .last_state = state_found,
            .out = out_found,
            .out_stride = d_inner};
  }

  std::size_t seqlen, d_inner, d_state;
  AlignedBuffer<float> u, delta, A, B, C, D, z, delta_bias, out, last_state;
};

float largest_difference(const AlignedBuffer<float>& a, const AlignedBuffer<float>& b) {
  float largest = 0.0F;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float difference = std::fabs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;  // a NaN stays
  }
  return largest;
}

}  // namespace

TEST_CASE("selective_scan gives what selective_scan_ref gives") {
  const auto source = checkpoint::open_safetensors(
      std::string(GENOMAMBA_SOURCE_DIR) + "/tests/golden/data/selective_scan/expected.safetensors");
  std::set<std::string> names;
  for (const checkpoint::Tensor& tensor : source->tensors())
    names.insert(tensor.name.substr(0, tensor.name.find('.')));
  REQUIRE(names.size() == 10);
  for (const std::string& name : names) {
    const Case one(*source, name);
    for (const kernels::Isa isa : kernels::built_isas()) {
      if (!kernels::is_supported(isa)) continue;
      kernels::select_isa(isa);
      INFO(name << " " << kernels::to_string(isa));
      AlignedBuffer<float> out(one.out.size());
      AlignedBuffer<float> state(one.last_state.size());
      kernels::selective_scan(one.args(out.data(), state.data()));
      CHECK(largest_difference(out, one.out) <= kTolerance);
      CHECK(largest_difference(state, one.last_state) <= kTolerance);
    }
  }
  kernels::select_isa(std::nullopt);
}
