// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "byte_source.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/variant_file.hpp"
#include "variant_handles.hpp"
#include "variant_index.hpp"

namespace genomamba::io {
namespace {

/// Regions of one contig, merged and sorted, to look a position up.
class PositionFilter {
 public:
  PositionFilter(std::vector<Region> regions, const ReferenceReader& reference)
      : by_contig_(reference.contigs().size()), reference_(reference) {
    for (Region& region : regions)
      by_contig_[region.contig].push_back({region.begin, region.end});
    for (auto& ranges : by_contig_)
      merge(ranges);
  }

  bool contains(const std::string& contig, std::int64_t position) const {
    const auto found = reference_.find(contig);
    if (!found || position < 0) return false;
    const auto at = static_cast<std::uint64_t>(position);
    const auto& ranges = by_contig_[*found];
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), at,
                                        [](std::uint64_t p, const Range& r) { return p < r.end; });
    return after != ranges.end() && after->begin <= at;
  }

  std::vector<IndexQuery> queries() const {
    std::vector<IndexQuery> list;
    for (std::size_t c = 0; c < by_contig_.size(); ++c) {
      for (const Range& range : by_contig_[c]) {
        list.push_back({reference_.contigs()[c].name, range.begin, range.end});
      }
    }
    return list;
  }

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  static void merge(std::vector<Range>& ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::vector<Range> merged;
    for (const Range& range : ranges) {
      if (!merged.empty() && range.begin <= merged.back().end) {
        merged.back().end = std::max(merged.back().end, range.end);
      } else if (range.begin < range.end) {
        merged.push_back(range);
      }
    }
    ranges = std::move(merged);
  }

  std::vector<std::vector<Range>> by_contig_;
  const ReferenceReader& reference_;
};

/// Letters in upper case, as case means nothing in alleles; symbols stay as they are.
void upper_alleles(bcf_hdr_t* header, bcf1_t* record) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_letter = [&](char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); };
  std::vector<std::string> alleles;
  bool is_changed = false;
  for (int i = 0; i < static_cast<int>(record->n_allele); ++i) {
    std::string& allele = alleles.emplace_back(record->d.allele[i]);
    if (!std::all_of(allele.begin(), allele.end(), is_letter)) continue;
    for (char& c : allele) {
      if (!is_lower(c)) continue;
      c = static_cast<char>(c - 'a' + 'A');
      is_changed = true;
    }
  }
  if (!is_changed) return;
  std::vector<const char*> pointers;
  for (const std::string& allele : alleles)
    pointers.push_back(allele.c_str());
  if (bcf_update_alleles(header, record, pointers.data(), static_cast<int>(pointers.size())) != 0) {
    throw std::bad_alloc();
  }
}

/// htslib takes a POS that is no number for 0, and lines that end early.
bool has_fixed_columns(std::string_view line) {
  constexpr std::ptrdiff_t kColumns = 8;
  const std::size_t position = line.find('\t');
  const std::size_t end = position == line.npos ? line.npos : line.find('\t', position + 1);
  if (end == line.npos || end == position + 1) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string_view number = line.substr(position + 1, end - position - 1);
  return std::all_of(number.begin(), number.end(), is_digit) &&
         std::count(line.begin(), line.end(), '\t') >= kColumns - 1;
}

HtsFilePtr open_variants(OpenedInput& input) {
  HtsFilePtr file(hts_hopen(input.file.get(), input.name.c_str(), "r"));
  if (file) (void)input.file.release();  // hts_close() closes it now
  if (file && (file->format.format == vcf || file->format.format == bcf)) return file;
  const bool is_empty = file && (file->format.format == empty_format);
  throw InputError(
      input.name, "",
      is_empty ? "is empty; VCF or BCF is needed" : "is no VCF or BCF, or its start is damaged");
}

}  // namespace

struct VariantReader::Impl {
  std::string name;
  int fd = -1;
  struct stat at_open {};
  LogSink& log;
  HtsFilePtr file;
  std::shared_ptr<VariantHeader::Impl> header = std::make_shared<VariantHeader::Impl>();
  VariantHeader shared{header};
  std::optional<PositionFilter> filter;
  std::optional<VariantIndex> index;
  KString line;
  std::uint64_t n_records = 0;

  explicit Impl(LogSink& sink) : log(sink) {}

  bool is_bcf() const { return file->format.format == bcf; }

  /// -1 at the end, below that an error.
  int read_next(bcf1_t* record) {
    bcf_hdr_t* const hdr = header->header.get();
    if (index) {
      const int result = index->next(*file, is_bcf() ? record : nullptr, &line.value);
      return result < 0 || is_bcf() ? result : parse(hdr, record);
    }
    if (is_bcf()) return bcf_read(file.get(), hdr, record);
    do {
      const int result = hts_getline(file.get(), '\n', &line.value);
      if (result < 0) return result;
    } while (line.value.l == 0);
    return parse(hdr, record);
  }

  int parse(bcf_hdr_t* hdr, bcf1_t* record) {
    constexpr int kMalformed = -3;
    if (!has_fixed_columns({line.value.s, line.value.l})) return kMalformed;
    return vcf_parse(&line.value, hdr, record) == 0 ? 0 : kMalformed;
  }

  [[noreturn]] void fail(int result) const {
    const std::string where = fmt::format("record {}", n_records);
    if (result == -2 && !is_bcf()) {
      throw InputError(name, where, "truncated or damaged compressed data");
    }
    throw InputError(name, where,
                     is_bcf() ? "truncated or malformed BCF record" : "malformed VCF line");
  }

  void check_end() const {
    check_unchanged(fd, at_open, name, &log);
    if (index || file->format.compression != bgzf || !file->fp.bgzf->no_eof_block) return;
    throw InputError(name, "",
                     "no BGZF end-of-file block: the file may be truncated (if it is whole, add "
                     "the block: bgzip -dc FILE | bgzip)");
  }
};

VariantReader::VariantReader(const std::string& path,
                             const std::optional<std::vector<Region>>& regions,
                             const ReferenceReader& reference, LogSink& log)
    : impl_(std::make_unique<Impl>(log)) {
  // Its messages go to stderr; ours say the same in the error that is thrown.
  hts_set_log_level(HTS_LOG_OFF);
  OpenedInput input = open_input(path);
  (void)detect_compression(input);  // refuses those that htslib does not read
  impl_->name = input.name;
  impl_->fd = input.fd;
  impl_->at_open = input.at_open;
  impl_->file = open_variants(input);
  impl_->header->header.reset(bcf_hdr_read(impl_->file.get()));
  if (!impl_->header->header) {
    throw InputError(impl_->name, "header", "malformed or truncated (no #CHROM line?)");
  }
  if (!regions) return;
  impl_->filter.emplace(*regions, reference);
  impl_->index = VariantIndex::open(path, impl_->at_open, *impl_->file, impl_->header->header.get(),
                                    impl_->filter->queries(), log);
}

VariantReader::~VariantReader() = default;

const VariantHeader& VariantReader::header() const noexcept {
  return impl_->shared;
}

const char* VariantReader::format() const noexcept {
  return impl_->is_bcf() ? "BCF" : "VCF";
}

bool VariantReader::read(VariantRecord& record) {
  for (;;) {
    ++impl_->n_records;
    const std::lock_guard lock(impl_->header->mutex);
    bcf_hdr_t* const hdr = impl_->header->header.get();
    bcf1_t* const mine = record.impl().record.get();
    const int result = impl_->read_next(mine);
    if (result == -1) {
      impl_->check_end();
      return false;
    }
    if (result < -1 || bcf_unpack(mine, BCF_UN_STR) != 0 || mine->n_allele == 0) {
      impl_->fail(result);
    }
    // What the header lacks has been declared by the parser; the writer looks at errcode.
    if (bcf_hdr_sync(hdr) != 0) throw std::bad_alloc();
    upper_alleles(hdr, mine);
    record.impl().contig = bcf_hdr_id2name(hdr, mine->rid);
    if (!impl_->filter || impl_->filter->contains(record.contig(), record.position())) return true;
  }
}

}  // namespace genomamba::io
