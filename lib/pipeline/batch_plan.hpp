// SPDX-License-Identifier: MIT
// Pieces: what the model is given for a job, one window of one strand of one mate at a time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "embed_job.hpp"
#include "genomamba/pipeline/embed_options.hpp"
#include "strand_view.hpp"
#include "windower.hpp"

namespace genomamba::pipeline {

/// One window of one orientation. Positions count in forward coordinates of the mate's sequence.
struct Piece {
  std::size_t job = 0;
  std::size_t mate = 0;
  std::size_t row = 0;   ///< row of the job that its tokens belong to
  bool reverse = false;  ///< the model reads the reverse complement
  Window window;         ///< in the orientation that is read
};

/// The pieces of one job, in the order in which their tokens are pooled. `length`: bases of each
/// mate.
std::vector<Piece> plan_job(const EmbedJob& job, std::size_t job_index, const EmbedOptions& options,
                            Orientations orientations);

}  // namespace genomamba::pipeline
