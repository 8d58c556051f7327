// SPDX-License-Identifier: MIT
#include "embed_job.hpp"

namespace genomamba::pipeline {

std::size_t EmbedJob::n_bases() const noexcept {
  std::size_t n = 0;
  for (const Mate& mate : mates)
    n += mate.record.sequence.size();
  return n;
}

std::string EmbedJob::where() const {
  return mates.front().path + ": " + io::describe(mates.front().record);
}

}  // namespace genomamba::pipeline
