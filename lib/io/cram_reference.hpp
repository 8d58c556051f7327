// SPDX-License-Identifier: MIT
// CramReference: where the bases of a CRAM come from, files only. Private to io.
#pragma once

#include <cstdint>
#include <string>

#include "htslib_handles.hpp"

namespace genomamba::io {

/// A search path for references that holds files only: REF_CACHE, then the parts of REF_PATH that
/// are no URL; if both are empty, htslib's cache folder under `cache_home`. Never empty: htslib
/// before 1.22 would ask a server.
std::string local_search_path(const std::string& ref_cache, const std::string& ref_path,
                              const std::string& cache_home);

/// Makes htslib's search local: REF_PATH in the environment becomes local_search_path(), REF_CACHE
/// is removed, so that nothing is written there. Doing it again changes nothing. Not safe while
/// another thread reads the environment.
void make_reference_search_local();

/// The reference of one CRAM. Nothing is written beside a FASTA: if it has no index, one is made in
/// a temporary directory that this object owns.
class CramReference {
 public:
  /// `fasta_path`: empty for REF_PATH and REF_CACHE alone.
  explicit CramReference(std::string fasta_path) : fasta_path_(std::move(fasta_path)) {}
  ~CramReference();
  CramReference(const CramReference&) = delete;
  CramReference& operator=(const CramReference&) = delete;

  /// Gives `file` its reference, and takes the UR tags out of its header: htslib would open what
  /// they name, a URL too. Throws InputError: FASTA missing or not usable.
  void attach(htsFile& file, const std::string& name);
  /// Why a record at or after contig `first_contig` may have failed to decode, in one line.
  std::string explain_failure(sam_hdr_t& header, std::int32_t first_contig) const;

 private:
  bool has_index() const;
  /// A name of the same FASTA (a link) that has its index beside it.
  std::string make_indexed_link();

  std::string fasta_path_;
  std::string indexed_path_;  ///< what htslib is given: fasta_path_ or the link
  std::string temporary_directory_;
};

}  // namespace genomamba::io
