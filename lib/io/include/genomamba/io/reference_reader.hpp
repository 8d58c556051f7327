// SPDX-License-Identifier: MIT
// ReferenceReader: letters of any part of an indexed FASTA, checked against the lines that they
// stand in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/core/log.hpp"

namespace genomamba::io {

struct Contig {
  std::string name;
  std::uint64_t length = 0;  ///< bases
};

/// Random access to a FASTA, plain or BGZF, by its .fai and .gzi. An index that is missing, or that
/// does not fit the content, is made in memory for this object, with one remark that gives the
/// `samtools faidx` command; one that is merely older is a remark. Nothing is ever created beside
/// the reference.
class ReferenceReader {
 public:
  /// `fai_path`: an index elsewhere; empty: beside the FASTA. Throws InputError: missing, a pipe,
  /// gzip that is not BGZF, no FASTA, a name that occurs twice, lines of uneven length (contig and
  /// line named).
  ReferenceReader(const std::string& path, const std::string& fai_path, LogSink& log);
  ~ReferenceReader();
  ReferenceReader(ReferenceReader&&) noexcept;

  const std::string& path() const noexcept;
  /// In the order of the index.
  const std::vector<Contig>& contigs() const noexcept;
  std::optional<std::size_t> find(std::string_view name) const;
  /// For a name that find() does not know: "did you mean chr1?", or the first names there are.
  std::string suggestion(std::string_view name) const;

  /// Replaces `letters` by those of [begin, end), as they stand in the file. Precondition: within
  /// the contig. Each line end met must stand where the index says, so that a base is never
  /// shifted. One call at a time. Throws InputError.
  void read(std::size_t contig, std::uint64_t begin, std::uint64_t end, std::string& letters);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::io
