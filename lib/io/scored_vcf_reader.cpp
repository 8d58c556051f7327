// SPDX-License-Identifier: MIT
#include "genomamba/io/scored_vcf_reader.hpp"

#include <fmt/format.h>
#include <htslib/vcf.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "byte_source.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

struct HeaderFreer {
  void operator()(bcf_hdr_t* header) const noexcept { bcf_hdr_destroy(header); }
};
struct RecordFreer {
  void operator()(bcf1_t* record) const noexcept { bcf_destroy(record); }
};

/// A buffer that htslib allocates and grows.
template <typename T>
struct InfoBuffer {
  T* values = nullptr;
  int capacity = 0;
  InfoBuffer() = default;
  ~InfoBuffer() { std::free(values); }
  InfoBuffer(const InfoBuffer&) = delete;
  InfoBuffer& operator=(const InfoBuffer&) = delete;
};

bool is_genomamba_line(std::string_view key) {
  return key.starts_with("genomamba") || key == "model" || key == "options";
}

}  // namespace

struct ScoredVcfReader::Impl {
  std::string path;
  HtsFilePtr file;
  std::unique_ptr<bcf_hdr_t, HeaderFreer> header;
  std::unique_ptr<bcf1_t, RecordFreer> record{bcf_init()};
  std::vector<std::string> provenance;
  std::uint64_t number = 0;
  InfoBuffer<float> llr;
  InfoBuffer<char> skip;

  [[noreturn]] void fail(const std::string& reason) const {
    const std::string where = number == 0 ? "" : fmt::format("record {}", number);
    throw InputError(path, where, reason);
  }

  void open() {
    hts_set_log_level(HTS_LOG_OFF);  // the library does not print; errors are told by ours
    OpenedInput input = open_input(path);
    file.reset(hts_hopen(input.file.get(), path.c_str(), "r"));
    if (!file) fail("cannot be opened as VCF");
    (void)input.file.release();  // hts_close() closes it now
    header.reset(bcf_hdr_read(file.get()));
    if (!header) fail("its VCF header cannot be read");
    const int id = bcf_hdr_id2int(header.get(), BCF_DT_ID, "GM_LLR");
    if (!bcf_hdr_idinfo_exists(header.get(), BCF_HL_INFO, id)) {
      fail("is a VCF without GM_LLR; genomamba variants adds it");
    }
    for (int i = 0; i < header->nhrec; ++i) {
      const bcf_hrec_t& line = *header->hrec[i];
      if (line.key != nullptr && line.value != nullptr && is_genomamba_line(line.key))
        provenance.push_back(fmt::format("{}={}", line.key, line.value));
    }
  }

  void take_llr(ScoredVariant& variant) {
    const int n =
        bcf_get_info_float(header.get(), record.get(), "GM_LLR", &llr.values, &llr.capacity);
    if (n == -3 || n == 0) return;  // the record has none
    if (n < 0) fail("GM_LLR cannot be read");
    const auto n_values = static_cast<std::size_t>(n);
    const bool is_one_missing = n_values == 1 && bcf_float_is_missing(llr.values[0]) != 0;
    if (is_one_missing) return;
    if (n_values != variant.alleles.size()) {
      fail(fmt::format("GM_LLR has {} values for {} alternatives", n, variant.alleles.size()));
    }
    for (std::size_t i = 0; i < n_values; ++i) {
      const bool has_value = bcf_float_is_missing(llr.values[i]) == 0 &&
                             bcf_float_is_vector_end(llr.values[i]) == 0 &&
                             std::isfinite(llr.values[i]);
      if (has_value) variant.alleles[i].llr = llr.values[i];
    }
  }

  void take_skip(ScoredVariant& variant) {
    const int n =
        bcf_get_info_string(header.get(), record.get(), "GM_SKIP", &skip.values, &skip.capacity);
    if (n <= 0) return;
    std::string_view rest(skip.values, static_cast<std::size_t>(n));
    rest = rest.substr(0, rest.find('\0'));
    if (rest == ".") return;
    std::size_t i = 0;
    for (;; ++i) {
      const std::size_t comma = rest.find(',');
      const std::string_view code = rest.substr(0, comma);
      if (i < variant.alleles.size() && code != ".") variant.alleles[i].skip = code;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    // A record without alternatives has one code of its own.
    if (i + 1 != std::max<std::size_t>(variant.alleles.size(), 1)) {
      fail(fmt::format("GM_SKIP has {} values for {} alternatives", i + 1, variant.alleles.size()));
    }
  }
};

ScoredVcfReader::ScoredVcfReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->open();
}
ScoredVcfReader::~ScoredVcfReader() = default;

bool ScoredVcfReader::read(ScoredVariant& variant) {
  bcf1_t* const record = impl_->record.get();
  const int status = bcf_read(impl_->file.get(), impl_->header.get(), record);
  if (status == -1) return false;
  ++impl_->number;
  if (status < -1 || bcf_unpack(record, BCF_UN_INFO) != 0 || record->errcode != 0) {
    impl_->fail("cannot be read: truncated or malformed");
  }
  variant.contig = bcf_seqname_safe(impl_->header.get(), record);
  variant.position = record->pos < 0 ? 0 : static_cast<std::uint64_t>(record->pos);
  variant.id = record->d.id;
  variant.ref = record->n_allele > 0 ? record->d.allele[0] : ".";
  variant.alleles.clear();
  for (std::uint32_t i = 1; i < record->n_allele; ++i) {
    variant.alleles.push_back({record->d.allele[i], std::numeric_limits<float>::quiet_NaN(), {}});
  }
  if (variant.alleles.empty()) {
    variant.alleles.push_back({".", std::numeric_limits<float>::quiet_NaN(), {}});
  }
  impl_->take_llr(variant);
  impl_->take_skip(variant);
  return true;
}

const std::vector<std::string>& ScoredVcfReader::provenance() const noexcept {
  return impl_->provenance;
}

}  // namespace genomamba::io
