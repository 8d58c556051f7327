// SPDX-License-Identifier: MIT
// What `genomamba variants` can be asked for.
#pragma once

#include <cstddef>
#include <optional>

#include "genomamba/core/nucleotide.hpp"

namespace genomamba::pipeline {

/// kCausal: sums of ln P over both haplotypes. kMasked: hidden positions of a bidirectional model.
enum class VariantMethod { kCausal, kMasked };
/// Where the first changed base lies in a window of W bases, from 0. kCentred: W / 2; a window is
/// cut at the contig's ends. kPlantcad: W / 2 - 1, and N instead of what lies beyond the ends, as
/// the scripts of PlantCaduceus do.
enum class VariantConvention { kCentred, kPlantcad };
enum class VariantStrand { kForward, kReverse, kMean };

/// "causal", ...: the words of the command line.
const char* to_string(VariantMethod method) noexcept;
const char* to_string(VariantConvention convention) noexcept;
const char* to_string(VariantStrand strand) noexcept;

struct VariantOptions {
  VariantMethod method = VariantMethod::kCausal;  ///< the model's, by complete_variant_options
  VariantConvention convention = VariantConvention::kCentred;
  VariantStrand strand = VariantStrand::kForward;
  std::size_t window = 0;  ///< bases; 0: 1024 (causal), the trained length up to 8192 (masked)

  /// Masked: positions behind the longer allele that are summed too, where more than one base
  /// changes; nothing: 8.
  std::optional<std::size_t> flank;
  /// Causal: an alternative haplotype is read until its state agrees with the reference's
  /// (model::MambaState::agrees_with); nothing: to the window's end.
  std::optional<float> converge;

  LetterPolicy letters = LetterPolicy::kStandard;
  std::size_t batch_tokens =
      0;  ///< tokens computed together by one thread; 0: chosen by memory_bytes
  std::size_t memory_bytes = 0;  ///< total budget; 0: none given
  std::size_t n_threads = 1;

  /// Bases of a window before the first changed base, in the direction of reading.
  std::size_t left(bool reverse) const noexcept {
    const std::size_t forward =
        convention == VariantConvention::kPlantcad ? (window - 1) / 2 : window / 2;
    return reverse ? window - 1 - forward : forward;
  }
};

}  // namespace genomamba::pipeline
