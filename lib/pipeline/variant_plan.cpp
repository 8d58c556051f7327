// SPDX-License-Identifier: MIT
#include "variant_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base_log_probs.hpp"
#include "genomamba/core/nucleotide.hpp"

namespace genomamba::pipeline {
namespace {

/// A window with fewer known letters says nothing.
constexpr std::size_t kMinKnownLetters = 32;
/// Letters of an allele that a message shows.
constexpr std::size_t kShownLetters = 20;

std::string shortened(std::string_view letters) {
  if (letters.size() <= kShownLetters) return std::string(letters);
  return std::string(letters.substr(0, kShownLetters)) + "...";
}

void skip(VariantScore& score, VariantSkip reason, std::string detail = {}) {
  score.llr = kNoTerm;
  score.skip = reason;
  score.detail = std::move(detail);
}

std::size_t count_known(std::string_view letters) {
  return static_cast<std::size_t>(
      std::count_if(letters.begin(), letters.end(), [](char c) { return base_index(c) < kBases; }));
}

}  // namespace

VariantPlanner::VariantPlanner(const VariantOptions& options, const LoadedModel& model,
                               io::ReferenceReader& reference)
    : options_(options),
      reference_(reference),
      letters_(reference, options.letters),
      needs_forward_(options.strand != VariantStrand::kReverse),
      // An RC-equivariant model gives the same for both strands of a window.
      needs_reverse_(options.strand == VariantStrand::kReverse ||
                     (options.strand == VariantStrand::kMean &&
                      model.model.config().strands == model::Strands::kSingle)) {}

std::size_t VariantPlanner::add(io::VariantRecord record, VariantBatch& batch) {
  PlannedRecord planned{std::move(record), {}};
  planned.scores.resize(std::max<std::size_t>(1, planned.record.n_alts()));
  check_record(planned.record, planned.scores);
  std::size_t n_letters = 0;
  std::string ref(planned.record.ref());
  (void)normalize_letters(ref, options_.letters);
  for (std::size_t i = 0; i < planned.record.n_alts(); ++i) {
    VariantScore& score = planned.scores[i];
    if (score.skip != VariantSkip::kNone) continue;
    std::string alt(planned.record.alt(i));
    Trimmed trimmed;
    (void)normalize_letters(alt, options_.letters);
    check_alt(ref, alt, score, trimmed);
    if (score.skip != VariantSkip::kNone) continue;
    if (trimmed.ref.empty() && trimmed.alt.empty()) continue;  // nothing changes: 0
    const Change change{*reference_.find(planned.record.contig()),
                        static_cast<std::uint64_t>(planned.record.position()) + trimmed.n_before,
                        trimmed.ref.size(), std::string(trimmed.alt)};
    for (const bool reverse : {false, true}) {
      if (reverse ? !needs_reverse_ : !needs_forward_) continue;
      add_to_site(change, reverse, batch.records.size(), i, batch);
      n_letters += options_.window;
    }
  }
  batch.records.push_back(std::move(planned));
  return n_letters;
}

/// What is wrong with a whole record, or with the form of an ALT.
void VariantPlanner::check_record(const io::VariantRecord& record,
                                  std::vector<VariantScore>& scores) {
  const auto contig = reference_.find(record.contig());
  if (!contig) {
    for (VariantScore& score : scores)
      skip(score, VariantSkip::kContigMissing, reference_.suggestion(record.contig()));
    return;
  }
  if (record.n_alts() == 0) return skip(scores[0], VariantSkip::kNoAlt);
  bool has_letters = false;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const VariantSkip form = skip_by_form(record.alt(i));
    if (form != VariantSkip::kNone) skip(scores[i], form);
    has_letters = has_letters || form == VariantSkip::kNone;
  }
  if (!has_letters) return;

  std::string ref(record.ref());
  std::string problem;
  const std::uint64_t length = reference_.contigs()[*contig].length;
  const auto begin = static_cast<std::uint64_t>(record.position());
  if (record.position() < 0 || begin > length || ref.size() > length - begin) {
    problem = fmt::format("past the contig's {} bases", length);
  } else {
    letters_.read(*contig, begin, begin + ref.size(), {}, buffer_);
    if (normalize_letters(ref, options_.letters).bad_position || !same_letters(ref, buffer_)) {
      problem = fmt::format("VCF {}, FASTA {}", shortened(record.ref()), shortened(buffer_));
    }
  }
  if (problem.empty()) return;
  for (VariantScore& score : scores) {
    if (score.skip == VariantSkip::kNone) skip(score, VariantSkip::kRefMismatch, problem);
  }
}

void VariantPlanner::check_alt(std::string_view ref, std::string_view alt, VariantScore& score,
                               Trimmed& trimmed) const {
  trimmed = trim_alleles(ref, alt);
  if (!is_acgt(trimmed.ref) || !is_acgt(trimmed.alt)) {
    return skip(score, VariantSkip::kNotAcgt);
  }
  const std::size_t longest = std::max(trimmed.ref.size(), trimmed.alt.size());
  if (longest > options_.window / 2) {
    skip(score, VariantSkip::kTooLong,
         fmt::format("{} bases, half a window is {}", longest, options_.window / 2));
  }
}

void VariantPlanner::add_to_site(const Change& change, bool reverse, std::size_t record,
                                 std::size_t alt_index, VariantBatch& batch) {
  const std::uint64_t boundary = reverse ? change.begin + change.ref_length : change.begin;
  SiteAllele allele{change.ref_length, change.alt, record, alt_index, 0};
  if (reverse) reverse_complement(allele.alt);
  // Sites of the same place come close together: the other strand's, and those of the same record.
  constexpr std::size_t kLooked = 8;
  const std::size_t n_looked = std::min(kLooked, batch.sites.size());
  const auto found = std::find_if(
      batch.sites.rbegin(), batch.sites.rbegin() + static_cast<std::ptrdiff_t>(n_looked),
      [&](const VariantSite& site) {
        return site.contig == change.contig && site.boundary == boundary && site.reverse == reverse;
      });
  if (found != batch.sites.rbegin() + static_cast<std::ptrdiff_t>(n_looked)) {
    found->alleles.push_back(std::move(allele));
    return;
  }
  VariantSite site;
  site.contig = change.contig;
  site.boundary = boundary;
  site.reverse = reverse;
  site.right = options_.window - options_.left(reverse);
  site.alleles.push_back(std::move(allele));
  batch.sites.push_back(std::move(site));
}

void VariantPlanner::read_letters(VariantBatch& batch) {
  for (VariantSite& site : batch.sites) {
    read_site(site);
    const std::size_t n_known = count_known(site.before) + count_known(site.reference(site.right));
    if (n_known >= kMinKnownLetters) continue;
    for (const SiteAllele& allele : site.alleles) {
      skip(batch.records[allele.record].scores[allele.alt_index], VariantSkip::kNWindow,
           fmt::format("{} of A, C, G, T in the window", n_known));
    }
    site.alleles.clear();
  }
  std::erase_if(batch.sites, [](const VariantSite& site) { return site.alleles.empty(); });
}

void VariantPlanner::read_site(VariantSite& site) {
  const std::uint64_t length = reference_.contigs()[site.contig].length;
  const std::uint64_t n_left = options_.left(site.reverse);
  const std::uint64_t n_right = site.right + site.n_extra();
  const std::uint64_t n_below = site.reverse ? n_right : n_left;
  const std::uint64_t n_above = site.reverse ? n_left : n_right;
  const std::uint64_t begin = site.boundary - std::min(site.boundary, n_below);
  const std::uint64_t end = std::min(length, site.boundary + n_above);
  letters_.read(site.contig, begin, end, {begin, end}, buffer_);
  const auto split = static_cast<std::size_t>(site.boundary - begin);
  site.before = buffer_.substr(0, split);
  site.after = buffer_.substr(split);
  if (site.reverse) {
    std::swap(site.before, site.after);
    reverse_complement(site.before);
    reverse_complement(site.after);
  }
  if (options_.convention != VariantConvention::kPlantcad) return;
  site.before.insert(0, static_cast<std::size_t>(n_left) - site.before.size(), 'N');
  site.after.resize(static_cast<std::size_t>(n_right), 'N');
}

}  // namespace genomamba::pipeline
