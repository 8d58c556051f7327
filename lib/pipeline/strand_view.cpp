// SPDX-License-Identifier: MIT
#include "strand_view.hpp"

#include <algorithm>

namespace genomamba::pipeline {
namespace {

/// The halves of an RC-equivariant vector: the model gives them in strand order, whatever the
/// layer.
struct Halves {
  std::span<const float> forward;  ///< [d_model]
  std::span<const float> reverse;  ///< [d_model], channels reversed
};

Halves strand_halves(const model::MambaConfig& config, std::span<const float> both) {
  return {both.first(config.d_model), both.subspan(config.d_model)};
}

void mean_of(std::span<const float> a, std::span<const float> b, std::span<float> out) {
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] = 0.5F * (a[c] + b[c]);
}

void copy(std::span<const float> from, std::span<float> to) {
  std::copy(from.begin(), from.end(), to.begin());
}

void make_rc_vector(const Halves& halves, Strand strand, std::span<float> out) {
  const auto& [forward, reverse] = halves;
  switch (strand) {
    case Strand::kForward:
      copy(forward, out);
      break;
    case Strand::kReverse:
      std::reverse_copy(reverse.begin(), reverse.end(), out.begin());
      break;
    case Strand::kMean:
      for (std::size_t c = 0; c < out.size(); ++c) {
        out[c] = 0.5F * (forward[c] + reverse[reverse.size() - 1 - c]);
      }
      break;
    case Strand::kConcat:
      copy(forward, out.first(forward.size()));
      copy(reverse, out.subspan(forward.size()));
      break;
  }
}

}  // namespace

Orientations needed_orientations(const model::MambaConfig& config, Strand strand) noexcept {
  if (config.strands != model::Strands::kSingle || strand == Strand::kForward) return {true, false};
  return {strand != Strand::kReverse, true};
}

void make_strand_vector(const model::MambaConfig& config, Strand strand,
                        std::span<const float> forward, std::span<const float> reverse,
                        std::span<float> out) {
  if (config.strands != model::Strands::kSingle) {
    make_rc_vector(strand_halves(config, forward), strand, out);
    return;
  }
  switch (strand) {
    case Strand::kForward:
      copy(forward, out);
      break;
    case Strand::kReverse:
      copy(reverse, out);
      break;
    case Strand::kMean:
      mean_of(forward, reverse, out);
      break;
    case Strand::kConcat:
      copy(forward, out.first(forward.size()));
      copy(reverse, out.subspan(forward.size()));
      break;
  }
}

}  // namespace genomamba::pipeline
