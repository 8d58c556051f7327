// SPDX-License-Identifier: MIT
// Owning handles of htslib objects. Private to io: no public header may include this.
#pragma once

#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/kstring.h>
#include <htslib/sam.h>

#include <cstdlib>
#include <memory>

namespace genomamba::io {

struct HFileCloser {
  void operator()(hFILE* file) const noexcept { hclose_abruptly(file); }
};
struct BgzfCloser {
  void operator()(BGZF* file) const noexcept { (void)bgzf_close(file); }
};
struct HtsFileCloser {
  void operator()(htsFile* file) const noexcept { (void)hts_close(file); }
};
struct SamHeaderFreer {
  void operator()(sam_hdr_t* header) const noexcept { sam_hdr_destroy(header); }
};
struct BamRecordFreer {
  void operator()(bam1_t* record) const noexcept { bam_destroy1(record); }
};

using HFilePtr = std::unique_ptr<hFILE, HFileCloser>;
using BgzfPtr = std::unique_ptr<BGZF, BgzfCloser>;
using HtsFilePtr = std::unique_ptr<htsFile, HtsFileCloser>;
using SamHeaderPtr = std::unique_ptr<sam_hdr_t, SamHeaderFreer>;
using BamRecordPtr = std::unique_ptr<bam1_t, BamRecordFreer>;

/// A kstring_t that frees its buffer.
struct KString {
  kstring_t value = {0, 0, nullptr};
  KString() = default;
  ~KString() { std::free(value.s); }
  KString(const KString&) = delete;
  KString& operator=(const KString&) = delete;
};

}  // namespace genomamba::io
