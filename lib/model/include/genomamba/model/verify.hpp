// SPDX-License-Identifier: MIT
// verify_model: a loaded model against outputs that the authors' code gave.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "genomamba/checkpoint/tensor_source.hpp"
#include "genomamba/core/executor.hpp"
#include "genomamba/model/mamba_model.hpp"

namespace genomamba::model {

/// One expected tensor and how far the model's is from it.
struct Comparison {
  std::string tensor;  ///< "<case>.last_hidden_state" or "<case>.logits"
  std::size_t n_values = 0;
  float max_abs_difference = 0.0F;  ///< infinity when the model gives a value that is not finite
  float max_abs_expected = 0.0F;    ///< the scale of the tensor
};

/// Runs every `<case>.input_ids` of `expected` through the model and compares
/// `<case>.last_hidden_state` [length, hidden_width] and `<case>.logits` [length, vocab_size],
/// whichever are there. In the order of the file. Throws CheckpointError: no case in the file, or a
/// shape that is not the model's.
std::vector<Comparison> verify_model(const MambaModel& model,
                                     const checkpoint::TensorSource& expected,
                                     Executor& executor = serial_executor());

}  // namespace genomamba::model
