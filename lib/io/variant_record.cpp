// SPDX-License-Identifier: MIT
#include "genomamba/io/variant_record.hpp"

#include <new>

#include "genomamba/core/error.hpp"
#include "variant_handles.hpp"

namespace genomamba::io {

VariantRecord::VariantRecord() : impl_(std::make_unique<Impl>()) {
  impl_->record.reset(bcf_init());
  if (!impl_->record) throw std::bad_alloc();
}
VariantRecord::~VariantRecord() = default;
VariantRecord::VariantRecord(VariantRecord&&) noexcept = default;
VariantRecord& VariantRecord::operator=(VariantRecord&&) noexcept = default;

void VariantRecord::assign(VariantHeader& header, const std::string& contig, std::uint64_t position,
                           const std::string& alleles) {
  const std::lock_guard lock(header.impl().mutex);
  bcf_hdr_t* const hdr = header.impl().header.get();
  bcf1_t* const record = impl_->record.get();
  bcf_clear(record);
  record->rid = bcf_hdr_name2id(hdr, contig.c_str());
  record->pos = static_cast<hts_pos_t>(position);
  bcf_float_set_missing(record->qual);
  if (record->rid < 0 || bcf_update_alleles_str(hdr, record, alleles.c_str()) != 0) {
    throw Error("cannot make a record on contig " + contig);
  }
  bcf_unpack(record, BCF_UN_STR);
  impl_->contig = contig;
}

const std::string& VariantRecord::contig() const noexcept {
  return impl_->contig;
}
std::int64_t VariantRecord::position() const noexcept {
  return impl_->record->pos;
}
std::string_view VariantRecord::id() const noexcept {
  return impl_->record->d.id == nullptr ? std::string_view(".") : impl_->record->d.id;
}
std::size_t VariantRecord::n_alts() const noexcept {
  const auto n_alleles = static_cast<std::size_t>(impl_->record->n_allele);
  return n_alleles == 0 ? 0 : n_alleles - 1;
}
std::string_view VariantRecord::ref() const noexcept {
  return impl_->record->n_allele == 0 ? std::string_view() : impl_->record->d.allele[0];
}
std::string_view VariantRecord::alt(std::size_t i) const noexcept {
  return impl_->record->d.allele[i + 1];
}

std::string VariantRecord::describe() const {
  std::string text = contig() + ":" + std::to_string(position() + 1);
  if (id() != ".") text.append(" (").append(id()).append(")");
  return text;
}

}  // namespace genomamba::io
