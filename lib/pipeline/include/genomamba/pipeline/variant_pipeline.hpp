// SPDX-License-Identifier: MIT
// score_variants: from records to log-likelihood ratios, in the order of the records, on all cores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "genomamba/core/log.hpp"
#include "genomamba/io/reference_reader.hpp"
#include "genomamba/io/variant_record.hpp"
#include "genomamba/pipeline/loaded_model.hpp"
#include "genomamba/pipeline/variant_options.hpp"

namespace genomamba::pipeline {

/// Why an ALT has no score.
enum class VariantSkip {
  kNone,
  kRefMismatch,  ///< REF is not what the reference has there
  kSymbolic,
  kBreakend,
  kStar,
  kNoAlt,
  kNWindow,  ///< fewer than 32 A, C, G, T in the reference's window
  kTooLong,  ///< an allele longer than half a window
  kNotAcgt,  ///< a changed base is none of A, C, G, T
  kContigMissing,
};
inline constexpr std::size_t kVariantSkips = 10;

/// "ref_mismatch", ...: the words of GM_SKIP; empty for kNone.
std::string_view to_string(VariantSkip skip) noexcept;

/// Score of one ALT of a record; of a record without ALT there is one, with kNoAlt.
struct VariantScore {
  double llr = 0;  ///< ln P(alt) - ln P(ref); NaN if skipped
  VariantSkip skip = VariantSkip::kNone;
  std::string detail;  ///< of the skip, for people: "VCF A, FASTA C"; may be empty
};

struct VariantCounts {
  std::uint64_t n_records = 0;
  std::uint64_t n_alts = 0;  ///< of all records; one for a record without ALT
  std::uint64_t n_scored = 0;
  std::array<std::uint64_t, kVariantSkips> n_skipped{};  ///< by VariantSkip
  std::uint64_t n_tokens = 0;                            ///< tokens computed
  std::uint64_t n_iupac = 0;                             ///< letters of windows read as N
  std::uint64_t n_uracil = 0;                            ///< letters of windows read as T
};

/// Where records come from and go to; each is called in one thread at a time, in order.
struct VariantFlow {
  /// Fills the record; false at the end.
  std::function<bool(io::VariantRecord&)> read;
  std::function<void(io::VariantRecord&, std::span<const VariantScore>)> write;
  /// Called after each write with the counts so far; may be empty.
  std::function<void(const VariantCounts&)> progress;
};

/// Fills in what the user left open. Throws UsageError for options that do not fit the model or
/// each other, and when the memory budget is too small.
VariantOptions complete_variant_options(VariantOptions options, const LoadedModel& model);

/// Bytes at the peak for these complete options.
std::size_t estimate_variant_memory(const VariantOptions& options, const LoadedModel& model);

/// Scores every record. A score depends on its record and the reference alone, neither on n_threads
/// and batch_tokens nor on other records, to the bit. Throws InputError: a bad letter in the
/// reference; Error: the model's output is not finite.
VariantCounts score_variants(const VariantOptions& options, const LoadedModel& model,
                             io::ReferenceReader& reference, const VariantFlow& flow);

}  // namespace genomamba::pipeline
