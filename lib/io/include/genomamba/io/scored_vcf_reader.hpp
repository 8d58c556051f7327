// SPDX-License-Identifier: MIT
// ScoredVcfReader: what a report needs of a VCF that `genomamba variants` wrote.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace genomamba::io {

/// One alternative allele of a record.
struct ScoredAllele {
  std::string alt;
  float llr = 0;     ///< GM_LLR: ln P(alt) - ln P(ref); NaN: none
  std::string skip;  ///< GM_SKIP; empty: none
};

struct ScoredVariant {
  std::string contig;
  std::uint64_t position = 0;  ///< 0-based
  std::string id;
  std::string ref;
  std::vector<ScoredAllele> alleles;
};

/// VCF, plain or compressed, or BCF, through htslib. One thread at a time.
class ScoredVcfReader {
 public:
  /// Throws InputError: missing, no VCF, no GM_LLR in its header.
  explicit ScoredVcfReader(const std::string& path);
  ~ScoredVcfReader();

  /// False at the end. Throws InputError: a record that cannot be read, GM_LLR or GM_SKIP of
  /// another number than the alternatives.
  bool read(ScoredVariant& variant);
  /// Header lines of genomamba (version, model, options), as they stand, without "##".
  const std::vector<std::string>& provenance() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::io
