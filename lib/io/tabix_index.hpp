// SPDX-License-Identifier: MIT
// TabixIndex: the .tbi or .csi of a BGZF text, made while the text is written. Private to io.
#pragma once

#include <htslib/hts.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "temporary_files.hpp"

namespace genomamba::io {

/// kBed: columns contig, start, end are 1, 2, 3; 0-based. kVcf: as VCF. '#' begins comments.
enum class TextKind { kBed, kVcf };

/// The rows of one text, in order.
class TabixIndex {
 public:
  /// `text_path`: the text's final name; `longest`: bases of the longest contig, which decides
  /// between .tbi (up to 2^29) and .csi; `begin`: virtual offset of the first row. Throws
  /// OutputError.
  TabixIndex(const std::string& text_path, std::uint64_t longest, std::uint64_t begin,
             TextKind kind = TextKind::kBed);
  ~TabixIndex();

  /// A row that ends at virtual offset `end_offset`. False if the rows are not sorted: the index is
  /// of no use then. `contig` is any number that tells contigs apart.
  bool add(const std::string& contig_name, std::size_t contig, std::uint64_t begin,
           std::uint64_t end, std::uint64_t end_offset);
  /// `end_offset`: virtual offset of the end of the text. Throws OutputError.
  void finish_writing(std::uint64_t end_offset);
  void commit();

  /// Removes both kinds of index beside a text that is about to be replaced.
  static void remove_old(const std::string& text_path);

 private:
  struct Freer {
    void operator()(hts_idx_t* index) const noexcept { hts_idx_destroy(index); }
  };

  int format_;
  TextKind kind_;
  std::string path_;
  std::string temporary_path_;
  std::optional<TemporaryName> temporary_name_;
  std::unique_ptr<hts_idx_t, Freer> index_;
  std::string names_;  ///< of the contigs so far, each ended by NUL
  int n_contigs_ = 0;
  std::optional<std::size_t> contig_;
  std::uint64_t last_begin_ = 0;
  std::string seen_;  ///< one char a contig number: 1 if its rows have begun
};

}  // namespace genomamba::io
