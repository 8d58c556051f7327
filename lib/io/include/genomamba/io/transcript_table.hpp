// SPDX-License-Identifier: MIT
// TranscriptTable: coding sequence and exon ends of transcripts, by record name (embed --tracks).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace genomamba::io {

/// Positions within one record, 0-based half-open.
struct Transcript {
  std::uint64_t cds_start = 0;
  std::uint64_t cds_end = 0;             ///< equal to cds_start: no coding sequence
  std::vector<std::uint64_t> exon_ends;  ///< ascending; an exon's last base stands before its end
};

/// Immutable after load().
class TranscriptTable {
 public:
  /// Lines of four columns between tabs: id, cds_start, cds_end, exon_ends (a comma list); "." is
  /// none. Blank lines and those that begin with # are skipped; plain or compressed; "-" is stdin.
  /// Throws InputError with the line's number: a line that cannot be read, an id that occurs twice.
  static TranscriptTable load(const std::string& path);

  /// Null: no line has this id.
  const Transcript* find(std::string_view id) const;

  const std::string& path() const noexcept { return path_; }
  /// Of the lines that count, whatever the compression and line ends: 64 hex digits.
  const std::string& sha256() const noexcept { return sha256_; }
  /// Bytes held, about.
  std::size_t n_bytes() const noexcept { return n_bytes_; }

 private:
  std::string path_;
  std::string sha256_;
  std::size_t n_bytes_ = 0;
  std::map<std::string, Transcript, std::less<>> transcripts_;
};

}  // namespace genomamba::io
