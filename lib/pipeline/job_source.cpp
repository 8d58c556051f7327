// SPDX-License-Identifier: MIT
#include "job_source.hpp"

#include <fmt/format.h>

#include <utility>

#include "genomamba/core/error.hpp"
#include "genomamba/model/batch.hpp"
#include "region_records.hpp"

namespace genomamba::pipeline {
namespace {

bool has_mate_ending(const std::string& id, char digit) {
  return id.size() > 2 && id[id.size() - 2] == '/' && id.back() == digit;
}

}  // namespace

std::string pair_name(const std::string& id) {
  return has_mate_ending(id, '1') || has_mate_ending(id, '2') ? id.substr(0, id.size() - 2) : id;
}

JobSource::JobSource(const EmbedOptions& options, LogSink& log) : options_(options), log_(log) {}

JobSource::Input JobSource::open(const std::string& path) {
  const io::OpenOptions open_options{
      .reference_path = options_.reference_path, .decompression_threads = 0, .log = &log_};
  return {path, io::open_record_reader(path, open_options)};
}

bool JobSource::open_next_input() {
  if (options_.has_regions()) {
    if (next_input_++ > 0) return false;
    first_ = {options_.reference_path, std::make_unique<RegionRecords>(options_, log_)};
    return true;
  }
  const std::size_t n = options_.pairing == Pairing::kTwoFiles ? 2 : 1;
  if (next_input_ + n > options_.inputs.size()) return false;
  n_in_file_ = 0;
  first_ = open(options_.inputs[next_input_]);
  if (n == 2) second_ = open(options_.inputs[next_input_ + 1]);
  next_input_ += n;
  return true;
}

bool JobSource::read_mate(Input& input, EmbedJob::Mate& mate) {
  mate.path = input.path;
  while (input.reader->read(mate.record)) {
    ++n_in_;
    // Before mates are paired: a supplementary record is nobody's mate.
    if ((mate.record.flags & options_.exclude_flags) == 0) return true;
    ++filtered_["excluded_flags"];
  }
  return false;
}

bool JobSource::read_pair(EmbedJob& job) {
  const bool two_files = options_.pairing == Pairing::kTwoFiles;
  job.mates.resize(2);
  Input& other = two_files ? second_ : first_;
  const bool has_first = read_mate(first_, job.mates[0]);
  const bool has_second = (has_first || two_files) && read_mate(other, job.mates[1]);
  if (!has_first && !has_second) return false;
  if (has_first != has_second) {
    const EmbedJob::Mate& alone = job.mates[has_first ? 0 : 1];
    const Input& ended = has_first ? other : first_;
    throw InputError(alone.path, io::describe(alone.record),
                     fmt::format("has no mate: {} ends after {} records", ended.path,
                                 two_files ? n_in_file_ : 2 * n_in_file_ + 1));
  }
  ++n_in_file_;
  check_mates(job);
  return true;
}

void JobSource::check_mates(const EmbedJob& job) const {
  const EmbedJob::Mate& a = job.mates[0];
  const EmbedJob::Mate& b = job.mates[1];
  const bool endings_fit =
      !(has_mate_ending(a.record.id, '2') || has_mate_ending(b.record.id, '1'));
  if (endings_fit && pair_name(a.record.id) == pair_name(b.record.id)) return;
  throw InputError(
      a.path, io::describe(a.record),
      fmt::format("its mate in {} is {}, which has another name", b.path, io::describe(b.record)));
}

std::string JobSource::filter_reason(const io::SequenceRecord& record) const {
  // A record without bases is kept, with a NaN vector: only what the user asks for is filtered.
  const std::size_t length = record.sequence.size();
  if (length < options_.min_length && !(length == 0 && options_.min_length <= 1))
    return "too_short";
  if (length > options_.max_length) return "too_long";
  return "";
}

/// What the transcript table says of the record, as the model takes it (models.md, Orthrus).
void JobSource::add_tracks(EmbedJob::Mate& mate) const {
  const auto fail = [&](const std::string& reason) {
    throw InputError(mate.path, io::describe(mate.record), reason);
  };
  const io::TranscriptTable& table = *options_.tracks;
  const std::size_t length = mate.record.sequence.size();
  const io::Transcript* transcript = table.find(mate.record.id);
  if (transcript == nullptr) fail("has no line in " + table.path());
  for (const auto& [name, end] :
       {std::pair("cds_end", transcript->cds_end),
        std::pair("exon end", transcript->exon_ends.empty() ? 0 : transcript->exon_ends.back())}) {
    if (end <= length) continue;
    fail(fmt::format("{} {} of its line in {} lies past its {} bases", name, end, table.path(),
                     length));
  }
  mate.tracks.assign(length, 0);
  constexpr std::uint64_t kCodon = 3;
  for (std::uint64_t at = transcript->cds_start; at < transcript->cds_end; at += kCodon)
    mate.tracks[at] |= model::kTrackCodonStart;
  for (const std::uint64_t end : transcript->exon_ends)
    mate.tracks[end - 1] |= model::kTrackExonEnd;
}

std::optional<EmbedJob> JobSource::next() {
  for (;;) {
    if (first_.reader == nullptr && !open_next_input()) return std::nullopt;
    EmbedJob job;
    bool found = false;
    if (options_.pairing == Pairing::kSingle) {
      job.mates.resize(1);
      found = read_mate(first_, job.mates[0]);
    } else {
      found = read_pair(job);
    }
    if (!found) {
      first_.reader.reset();
      second_.reader.reset();
      continue;
    }
    std::string reason;
    for (const EmbedJob::Mate& mate : job.mates) {
      if (reason.empty()) reason = filter_reason(mate.record);
    }
    if (reason.empty()) {
      if (options_.tracks != nullptr) add_tracks(job.mates.front());
      return job;
    }
    filtered_[reason] += job.mates.size();
  }
}

}  // namespace genomamba::pipeline
