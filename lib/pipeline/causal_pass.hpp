// SPDX-License-Identifier: MIT
// run_pass: one contig from end to end with a carried state, in memory that does not grow with its
// length.
#pragma once

#include "causal_plan.hpp"
#include "causal_scorer.hpp"
#include "score_run.hpp"

namespace genomamba::pipeline {

/// Gives the values of the pass's segments to `write`, ascending. The reverse strand, which is read
/// downwards, waits in a nameless temporary file for the forward strand.
void run_pass(ScoreRun& run, const CausalScorer& scorer, const CausalPass& pass,
              const WriteBlock& write);

}  // namespace genomamba::pipeline
