// SPDX-License-Identifier: MIT
// C entry points of the training kernels, for float and double. Batches are contiguous [batch,
// seqlen, row] arrays; `reverse` runs the time axis right to left. Sizes are checked by the Python
// caller.
#include <vector>

#include "simd.hpp"

#include "add_rms_norm.hpp"
#include "conv1d_silu.hpp"
#include "selective_scan_backward.hpp"

namespace train {
namespace {

// A row pointer and stride in scan order.
template <class T>
T* first_row(T* base, std::int64_t batch, std::int64_t seqlen, std::int64_t stride, bool reverse) {
  T* p = base + batch * seqlen * stride;
  return reverse ? p + (seqlen - 1) * stride : p;
}

template <class T>
std::vector<T> packed_a(const T* a, std::int64_t d_inner, int d_state, T scale) {
  constexpr int W = Simd<T>::kWidth;
  std::vector<T> packed(d_inner * d_state);
  for (std::int64_t e = 0; e < d_inner; ++e)
    for (int n = 0; n < d_state; ++n)
      packed[(e / W * d_state + n) * W + e % W] = a[e * d_state + n] * scale;
  return packed;
}

// Plain pointers as Python passes them.
template <class T>
struct ScanCall {
  std::int64_t batch, seqlen, d_inner, d_state, reverse;
  std::int64_t u_stride, delta_stride, z_stride, bc_stride, out_stride;
  const T *u, *delta_raw, *z, *bc, *a, *d, *delta_bias;
  T *states, *out;
  // Backward only. dz and dbc have the strides of z and bc; du and ddelta_raw are dense.
  const T* dout;
  T *du, *ddelta_raw, *dz, *dbc, *da, *dd, *ddelta_bias;
};

template <class T>
ScanInputs<T> inputs_of(const ScanCall<T>& c, const T* packed, std::int64_t b) {
  const bool r = c.reverse != 0;
  const std::int64_t sign = r ? -1 : 1;
  const std::int64_t n_chunks = (c.seqlen + kChunk - 1) / kChunk;
  ScanInputs<T> in{};
  in.seqlen = c.seqlen;
  in.d_inner = c.d_inner;
  in.u = first_row(c.u, b, c.seqlen, c.u_stride, r);
  in.u_stride = sign * c.u_stride;
  in.delta_raw = first_row(c.delta_raw, b, c.seqlen, c.delta_stride, r);
  in.delta_stride = sign * c.delta_stride;
  in.z = first_row(c.z, b, c.seqlen, c.z_stride, r);
  in.z_stride = sign * c.z_stride;
  in.bc = first_row(c.bc, b, c.seqlen, c.bc_stride, r);
  in.bc_stride = sign * c.bc_stride;
  in.a = packed;
  in.d = c.d;
  in.delta_bias = c.delta_bias;
  in.states = c.states + b * (n_chunks + 1) * c.d_inner * c.d_state;
  return in;
}

template <class T, int N>
void scan_forward_batch(const ScanCall<T>& c) {
  const auto packed = packed_a(c.a, c.d_inner, N, T(Simd<T>::kDecayScale));
  for (std::int64_t b = 0; b < c.batch; ++b)
    scan_forward<T, N>(inputs_of(c, packed.data(), b),
                       first_row(c.out, b, c.seqlen, c.out_stride, c.reverse != 0),
                       c.reverse ? -c.out_stride : c.out_stride);
}

template <class T, int N>
void scan_backward_batch(const ScanCall<T>& c) {
  constexpr int W = Simd<T>::kWidth;
  const auto packed = packed_a(c.a, c.d_inner, N, T(Simd<T>::kDecayScale));
  std::vector<T> da(c.d_inner * N), scratch(scan_backward_scratch<T>(c.d_inner, N));
  const bool r = c.reverse != 0;
  const std::int64_t sign = r ? -1 : 1;
  for (std::int64_t b = 0; b < c.batch; ++b) {
    ScanGradients<T> g{};
    g.dout = first_row(c.dout, b, c.seqlen, c.out_stride, r);
    g.dout_stride = sign * c.out_stride;
    g.du = first_row(c.du, b, c.seqlen, c.d_inner, r);
    g.du_stride = sign * c.d_inner;
    g.ddelta_raw = first_row(c.ddelta_raw, b, c.seqlen, c.d_inner, r);
    g.ddelta_stride = sign * c.d_inner;
    g.dz = first_row(c.dz, b, c.seqlen, c.z_stride, r);
    g.dz_stride = sign * c.z_stride;
    g.dbc = first_row(c.dbc, b, c.seqlen, c.bc_stride, r);
    g.dbc_stride = sign * c.bc_stride;
    g.da = da.data();
    g.dd = c.dd;
    g.ddelta_bias = c.ddelta_bias;
    g.scratch = scratch.data();
    scan_backward<T, N>(inputs_of(c, packed.data(), b), g);
  }
  for (std::int64_t e = 0; e < c.d_inner; ++e)
    for (int n = 0; n < N; ++n)
      c.da[e * N + n] += da[(e / W * N + n) * W + e % W];
}

template <class T>
int run_scan(const ScanCall<T>& c, bool backward) {
  const FlushDenormals flush;
  if (c.d_state == 16)
    backward ? scan_backward_batch<T, 16>(c) : scan_forward_batch<T, 16>(c);
  else if (c.d_state == 8)
    backward ? scan_backward_batch<T, 8>(c) : scan_forward_batch<T, 8>(c);
  else
    return 1;
  return 0;
}

template <class T>
struct ConvCall {
  std::int64_t batch, seqlen, d_inner, reverse, x_stride;
  const T *x, *before, *weight,
      *bias;                // before [batch, 3, d_inner] in scan order; weight [4, d_inner]
  T* out;                   // [batch, seqlen, d_inner]
  const T* dout;            // like out
  T *dx, *dweight, *dbias;  // dx has the stride of x
};

template <class T>
int run_conv(const ConvCall<T>& c, bool backward) {
  const FlushDenormals flush;
  const bool r = c.reverse != 0;
  const std::int64_t sign = r ? -1 : 1;
  std::vector<T> ring(backward ? kConvTaps * c.d_inner : 0);
  for (std::int64_t b = 0; b < c.batch; ++b) {
    ConvInputs<T> in{c.seqlen,
                     c.d_inner,
                     first_row(c.x, b, c.seqlen, c.x_stride, r),
                     sign * c.x_stride,
                     c.before + b * (kConvTaps - 1) * c.d_inner,
                     c.weight,
                     c.bias};
    if (backward)
      conv_backward(in, first_row(c.dout, b, c.seqlen, c.d_inner, r), sign * c.d_inner,
                    first_row(c.dx, b, c.seqlen, c.x_stride, r), sign * c.x_stride, c.dweight,
                    c.dbias, ring.data());
    else
      conv_forward(in, first_row(c.out, b, c.seqlen, c.d_inner, r), sign * c.d_inner);
  }
  return 0;
}

template <class T>
struct NormCall {
  std::int64_t rows, width;
  double eps;
  const T *hidden, *residual_in, *weight;
  T *residual_out, *out, *rstd;
  const T *dout, *dresidual_out;
  T *dinput, *dweight;
};

template <class T>
int run_norm(const NormCall<T>& c, bool backward) {
  const FlushDenormals flush;
  if (backward) {
    std::vector<T> scratch(c.width);
    norm_backward<T>(c.rows, c.width, c.residual_out, c.weight, c.rstd, c.dout, c.dresidual_out,
                     c.dinput, c.dweight, scratch.data());
  } else {
    norm_forward<T>(c.rows, c.width, T(c.eps), c.hidden, c.residual_in, c.weight, c.residual_out,
                    c.out, c.rstd);
  }
  return 0;
}

}  // namespace
}  // namespace train

#define TRAIN_EXPORT(suffix, T)                                        \
  extern "C" int scan_forward_##suffix(const train::ScanCall<T>* c) {  \
    return run_scan(*c, false);                                        \
  }                                                                    \
  extern "C" int scan_backward_##suffix(const train::ScanCall<T>* c) { \
    return run_scan(*c, true);                                         \
  }                                                                    \
  extern "C" int conv_forward_##suffix(const train::ConvCall<T>* c) {  \
    return run_conv(*c, false);                                        \
  }                                                                    \
  extern "C" int conv_backward_##suffix(const train::ConvCall<T>* c) { \
    return run_conv(*c, true);                                         \
  }                                                                    \
  extern "C" int norm_forward_##suffix(const train::NormCall<T>* c) {  \
    return run_norm(*c, false);                                        \
  }                                                                    \
  extern "C" int norm_backward_##suffix(const train::NormCall<T>* c) { \
    return run_norm(*c, true);                                         \
  }

TRAIN_EXPORT(f32, float)
TRAIN_EXPORT(f64, double)
