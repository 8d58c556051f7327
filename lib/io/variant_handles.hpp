// SPDX-License-Identifier: MIT
// htslib's objects behind VariantHeader and VariantRecord. Private to io.
#pragma once

#include <htslib/vcf.h>

#include <memory>
#include <mutex>
#include <string>

#include "genomamba/io/variant_file.hpp"
#include "genomamba/io/variant_record.hpp"
#include "htslib_handles.hpp"

namespace genomamba::io {

struct BcfHeaderFreer {
  void operator()(bcf_hdr_t* header) const noexcept { bcf_hdr_destroy(header); }
};
struct BcfRecordFreer {
  void operator()(bcf1_t* record) const noexcept { bcf_destroy(record); }
};
using BcfHeaderPtr = std::unique_ptr<bcf_hdr_t, BcfHeaderFreer>;
using BcfRecordPtr = std::unique_ptr<bcf1_t, BcfRecordFreer>;

struct VariantHeader::Impl {
  BcfHeaderPtr header;
  /// Parsing a record may define what the header lacks, while another thread writes one.
  std::mutex mutex;
};

struct VariantRecord::Impl {
  BcfRecordPtr record;
  std::string contig;
};

}  // namespace genomamba::io
