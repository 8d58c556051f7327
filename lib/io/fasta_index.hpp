// SPDX-License-Identifier: MIT
// FastaIndex: where the lines of each contig stand in a FASTA: the content of a .fai. Private to
// io.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference_bytes.hpp"
#include "text_scanner.hpp"

namespace genomamba::io {

/// One line of a .fai. Offsets count bytes of the uncompressed text.
struct FastaEntry {
  std::string name;
  std::uint64_t length = 0;      ///< bases
  std::uint64_t offset = 0;      ///< of the first base
  std::uint64_t line_bases = 0;  ///< bases of a full line; 0 for a contig without bases
  std::uint64_t line_width = 0;  ///< bytes of a full line, its end included

  bool operator==(const FastaEntry&) const = default;

  /// Byte of base `position` (< length).
  std::uint64_t byte_of(std::uint64_t position) const noexcept {
    return line_bases == 0 ? offset
                           : offset + position / line_bases * line_width + position % line_bases;
  }
  /// One past the byte of the last base.
  std::uint64_t end_byte() const noexcept { return length == 0 ? offset : byte_of(length - 1) + 1; }
};

/// Reads a .fai. Throws InputError naming the line that is none of a .fai.
std::vector<FastaEntry> read_fai(const std::string& path);

/// Makes the index from the text, as `samtools faidx` does, but strictly: what would shift a base
/// later throws InputError with contig and line: uneven lines, blank lines or blanks inside a
/// sequence, a name that occurs twice.
std::vector<FastaEntry> scan_fasta(TextScanner& scanner, const std::string& name);

/// Follows the index through the text: every header stands right before its first base, has its
/// name, and nothing but blank lines lies between a contig's last base and the next header, or the
/// end. Returns what does not fit. The lines inside contigs are not looked at.
std::optional<std::string> find_index_fault(const std::vector<FastaEntry>& entries,
                                            ReferenceBytes& bytes);

}  // namespace genomamba::io
