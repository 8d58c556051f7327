// SPDX-License-Identifier: MIT
// make_report: one HTML page about what the other apps wrote, and its figures as SVG files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "genomamba/core/log.hpp"

namespace genomamba::report {

struct ReportOptions {
  std::vector<std::string> inputs;  ///< recognised by content
  std::string title = "genomamba report";
  std::string labels;    ///< TSV whose first column is the record's id; empty: none
  std::string color_by;  ///< column of labels or row table; empty: the first label
  /// Colours a second scatter: a column, "gc" or "none"; empty: gc if there are sequences, else
  /// length
  std::string second;
  std::vector<std::string> sequences;  ///< FASTA, FASTQ, SAM, BAM, CRAM of the records, for GC
  std::vector<std::string> regions;    ///< region strings of the tracks to show; empty: the first
  std::string reference;               ///< FASTA: the letters under bedGraph and bigWig
  std::vector<std::string> scores;     ///< columns of a score TSV; empty: all but p_A ... p_T
  std::size_t smooth = 101;            ///< positions of the running mean, odd
  LogSink* log = nullptr;              ///< null: none
};

struct FigureFile {
  std::string name;  ///< "01-reads-scatter.svg"; letters, digits, '-', '.' alone
  std::string svg;   ///< a whole file
};

struct Report {
  std::string html;                 ///< self-contained; nothing from the network
  std::vector<FigureFile> figures;  ///< in the order of the page
};

/// The same inputs and options give the same bytes. Throws InputError: a file that is none of the
/// known kinds, or damaged; UsageError: a column that does not exist, a region that cannot be read.
Report make_report(const ReportOptions& options);

}  // namespace genomamba::report
