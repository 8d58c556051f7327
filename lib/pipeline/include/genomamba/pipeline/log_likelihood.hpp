// SPDX-License-Identifier: MIT
// log_likelihood: how probable a causal model finds a sequence.
#pragma once

#include <string_view>

#include "genomamba/pipeline/loaded_model.hpp"

namespace genomamba::pipeline {

/// Sum over the letters A, C, G and T of ln P(letter | the letters before it), P over the four
/// bases alone; other letters are read, not scored. The first letter counts if the tokenizer puts a
/// start token before a sequence. Natural logarithm, summed in double; memory does not grow with
/// the length. It is the sum of what `genomamba score` gives for the positions of a whole contig.
/// `sequence`: upper case. Throws UsageError for a model that is not causal, Error when a
/// probability is not finite.
double log_likelihood(const LoadedModel& model, std::string_view sequence);

}  // namespace genomamba::pipeline
