// SPDX-License-Identifier: MIT
// VariantIndex: the records of some regions by the .tbi or .csi beside a file. Private to io.
#pragma once

#include <htslib/tbx.h>
#include <htslib/vcf.h>
#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "genomamba/core/log.hpp"
#include "htslib_handles.hpp"

namespace genomamba::io {

/// 0-based half-open.
struct IndexQuery {
  std::string contig;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class VariantIndex {
 public:
  /// Nothing if there is no index beside the file, or one that is older than the file (with a
  /// remark). `queries` are disjoint.
  static std::optional<VariantIndex> open(const std::string& path, const struct stat& data,
                                          const htsFile& file, bcf_hdr_t* header,
                                          const std::vector<IndexQuery>& queries, LogSink& log);

  /// The next record in the file's order, into `record` (BCF) or as a line (VCF). It overlaps a
  /// query. -1 at the end, below that an error.
  int next(htsFile& file, bcf1_t* record, kstring_t* line);

 private:
  struct IndexFreer {
    void operator()(hts_idx_t* index) const noexcept { hts_idx_destroy(index); }
  };
  struct TabixFreer {
    void operator()(tbx_t* index) const noexcept { tbx_destroy(index); }
  };
  struct IteratorFreer {
    void operator()(hts_itr_t* iterator) const noexcept { hts_itr_destroy(iterator); }
  };

  std::unique_ptr<hts_idx_t, IndexFreer> bcf_index_;
  std::unique_ptr<tbx_t, TabixFreer> tabix_;
  std::vector<std::unique_ptr<hts_itr_t, IteratorFreer>> iterators_;  ///< last one first
};

}  // namespace genomamba::io
