// SPDX-License-Identifier: MIT
// The reference kernels: plain loops in the order of the paper's equations, double accumulation, no
// SIMD.
#pragma once

#include "kernel_table.hpp"

namespace genomamba::kernels::ref {

void selective_scan(const ScanCall& call) noexcept;
void ssd_scan(const SsdCall& call) noexcept;
void causal_conv1d_silu(const ConvCall& call) noexcept;
void linear(const LinearCall& call) noexcept;
void rms_norm(const NormCall& call) noexcept;
void rms_scale(const NormCall& call, float* scale) noexcept;
void layer_norm(const NormCall& call) noexcept;
void rms_norm_gated(const GatedNormCall& call) noexcept;
void silu(const float* x, float* y, std::size_t n) noexcept;
void softplus(const float* x, float* y, std::size_t n) noexcept;
void exp(const float* x, float* y, std::size_t n) noexcept;
float fma_chains(std::size_t n_steps) noexcept;
float sum_all(const float* x, std::size_t n) noexcept;
void exp2(const float* x, float* y, std::size_t n) noexcept;

}  // namespace genomamba::kernels::ref
