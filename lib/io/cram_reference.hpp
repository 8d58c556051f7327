// SPDX-License-Identifier: MIT
// CramReference: where the bases of a CRAM come from, files only. Private to io.
#pragma once

#include <string>
#include <vector>

#include "htslib_handles.hpp"

namespace genomamba::io {

/// Makes htslib's own search local, once a process, by rewriting two variables of its environment: REF_PATH becomes
/// REF_CACHE and the parts of REF_PATH that are no URL; REF_CACHE is removed, so that nothing is written there.
/// Without this, htslib before 1.22 asks the server of the EBI. Call before threads are started.
void make_reference_search_local();

/// The reference of one CRAM. Owns the index that it makes when the FASTA has none (nothing is written beside it).
class CramReference {
 public:
  /// `fasta_path`: empty for REF_PATH, REF_CACHE and local UR tags.
  explicit CramReference(std::string fasta_path) : fasta_path_(std::move(fasta_path)) {}
  ~CramReference();
  CramReference(const CramReference&) = delete;
  CramReference& operator=(const CramReference&) = delete;

  /// Gives `file` its reference and takes URLs out of `header`. Throws InputError: FASTA missing or not usable.
  void attach(htsFile& file, sam_hdr_t& header, const std::string& name);
  /// Why a record at or after contig `first_contig` may have failed to decode, in one line.
  std::string explain_failure(sam_hdr_t& header, std::int32_t first_contig) const;

 private:
  /// Name of an index for fasta_path_, made if needed.
  std::string find_or_make_index();

  std::string fasta_path_;
  std::string temporary_directory_;
  std::string index_path_;
};

}  // namespace genomamba::io
