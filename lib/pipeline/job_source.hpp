// SPDX-License-Identifier: MIT
// JobSource: the records of all inputs in order, filtered and paired, with their tracks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "embed_job.hpp"
#include "genomamba/core/log.hpp"
#include "genomamba/io/record_reader.hpp"
#include "genomamba/pipeline/embed_options.hpp"

namespace genomamba::pipeline {

/// One thread at a time. Every record read is either in a job or counted in filtered().
class JobSource {
 public:
  JobSource(const EmbedOptions& options, LogSink& log);

  /// The next job, or nothing at the end of the last input. Throws InputError.
  std::optional<EmbedJob> next();

  std::uint64_t n_in() const noexcept { return n_in_; }
  /// Reason -> records: "too_short", "too_long", "excluded_flags".
  const std::map<std::string, std::uint64_t>& filtered() const noexcept { return filtered_; }

 private:
  struct Input {
    std::string path;
    std::unique_ptr<io::RecordReader> reader;
  };

  Input open(const std::string& path);
  /// Opens the first input (both of a pair of files); false after the last one.
  bool open_next_input();
  /// The next record of `input` that its flags do not exclude; false at the end.
  bool read_mate(Input& input, EmbedJob::Mate& mate);
  bool read_pair(EmbedJob& job);
  std::string filter_reason(const io::SequenceRecord& record) const;
  void add_tracks(EmbedJob::Mate& mate) const;
  void check_mates(const EmbedJob& job) const;

  const EmbedOptions& options_;
  LogSink& log_;
  std::size_t next_input_ = 0;
  Input first_;
  Input second_;  ///< --pairs only
  std::uint64_t n_in_ = 0;
  std::uint64_t n_in_file_ = 0;
  std::map<std::string, std::uint64_t> filtered_;
};

/// The name without a mate's ending: "/1" or "/2".
std::string pair_name(const std::string& id);

}  // namespace genomamba::pipeline
