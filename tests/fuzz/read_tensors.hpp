// SPDX-License-Identifier: MIT
// read_tensors: what a model's loader does with an opened checkpoint, as far as bytes are read.
#pragma once

#include "genomamba/checkpoint/tensor_source.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::fuzz {

/// Reads the elements of every tensor. A value that is not finite, or another type, is an Error of
/// that tensor alone.
inline void read_tensors(const checkpoint::TensorSource& source) {
  for (const checkpoint::Tensor& tensor : source.tensors()) {
    try {
      checkpoint::to_float(tensor);
    } catch (const Error&) {
    }
    try {
      checkpoint::to_int64(tensor);
    } catch (const Error&) {
    }
  }
}

}  // namespace genomamba::fuzz
