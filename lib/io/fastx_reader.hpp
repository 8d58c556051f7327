// SPDX-License-Identifier: MIT
// FastxReader: FASTA and FASTQ, strict about everything that would lose or shift a base. Private to
// io.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "genomamba/core/log.hpp"
#include "genomamba/io/record_reader.hpp"
#include "text_scanner.hpp"

namespace genomamba::io {

/// Reads one format, the one of the first record. Sequences may be wrapped. Read without a remark:
/// LF and CRLF, blank lines between records and in a sequence, blanks at line ends, a missing last
/// line end. With one: `;` lines of FASTA, blanks inside a FASTA line, records without a name, a
/// FASTQ `+` line that names another record. Everything else throws InputError with record, name
/// and line.
class FastxReader final : public RecordReader {
 public:
  /// Looks for the first record. Throws InputError if the text begins with something else.
  FastxReader(TextScanner scanner, std::string name, LogSink* log);

  bool read(SequenceRecord& record) override;
  const char* format() const noexcept override;

 private:
  enum class Kind { kFasta, kFastq, kEmpty };

  void read_header(SequenceRecord& record);
  void read_fasta_sequence(SequenceRecord& record);
  void read_fastq_sequence(SequenceRecord& record);
  void read_plus_line(const SequenceRecord& record);
  void read_quality(const SequenceRecord& record);
  void skip_line();

  /// Appends the letters of the present line to `sequence`; returns how many.
  std::size_t append_letters(std::string& sequence);
  void append_odd_piece(std::string_view piece, std::string& sequence);
  std::size_t count_quality();
  std::size_t count_odd_quality(std::string_view piece);

  void remark(bool& is_said, const std::string& text);
  [[noreturn]] void fail(const std::string& reason) const { fail_at(scanner_.line(), reason); }
  [[noreturn]] void fail_at(std::uint64_t line, const std::string& reason) const;

  TextScanner scanner_;
  std::string name_;
  LogSink* log_;
  Kind kind_ = Kind::kEmpty;
  SequenceRecord current_;  ///< id and number of the record being read, for messages
  std::string header_;
  std::uint64_t n_sequence_lines_ = 0;
  // State of the present line.
  bool has_cr_ = false;
  bool has_gap_ = false;
  // Remarks are made once a file.
  bool said_comment_ = false;
  bool said_blank_ = false;
  bool said_plus_ = false;
  bool said_name_ = false;
};

}  // namespace genomamba::io
