// SPDX-License-Identifier: MIT
// VariantPlanner: from records to the sites that a model reads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "genomamba/io/reference_reader.hpp"
#include "genomamba/pipeline/variant_pipeline.hpp"
#include "runner.hpp"
#include "score_letters.hpp"
#include "variant_alleles.hpp"
#include "variant_site.hpp"

namespace genomamba::pipeline {

struct PlannedRecord {
  io::VariantRecord record;
  std::vector<VariantScore> scores;  ///< one an ALT, or one for none
};

/// Records that are computed by one thread in one go.
class VariantBatch final : public WorkItem {
 public:
  std::vector<PlannedRecord> records;
  std::vector<VariantSite> sites;
  std::size_t n_tokens = 0;  ///< computed
};

/// Classifies alleles and reads what surrounds them. One thread at a time.
class VariantPlanner {
 public:
  VariantPlanner(const VariantOptions& options, const LoadedModel& model,
                 io::ReferenceReader& reference);

  /// Adds a record and the sites of its alleles, whose letters are not there yet. Returns how many
  /// letters of haplotypes they hold, about.
  std::size_t add(io::VariantRecord record, VariantBatch& batch);
  /// Reads the letters of all sites, and takes out those that lie among N.
  void read_letters(VariantBatch& batch);

  const LetterCounts& letter_counts() const noexcept { return letters_.counts(); }
  /// True if every allele has a site on each strand.
  bool needs_both() const noexcept { return needs_forward_ && needs_reverse_; }

 private:
  /// An allele that has a score, before it is given to the strands.
  struct Change {
    std::size_t contig = 0;
    std::uint64_t begin = 0;
    std::size_t ref_length = 0;
    std::string alt;
  };

  void check_record(const io::VariantRecord& record, std::vector<VariantScore>& scores);
  void check_alt(std::string_view ref, std::string_view alt, VariantScore& score,
                 Trimmed& trimmed) const;
  void add_to_site(const Change& change, bool reverse, std::size_t record, std::size_t alt_index,
                   VariantBatch& batch);
  void read_site(VariantSite& site);

  const VariantOptions& options_;
  io::ReferenceReader& reference_;
  ScoreLetters letters_;
  bool needs_forward_;
  bool needs_reverse_;
  std::string buffer_;
};

}  // namespace genomamba::pipeline
