// SPDX-License-Identifier: MIT
#include <algorithm>
#include <new>
#include <string>

#include "genomamba/core/error.hpp"
#include "genomamba/io/variant_file.hpp"
#include "variant_handles.hpp"

namespace genomamba::io {
namespace {

/// Text inside the quotes of a Description.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return result;
}

/// A name that a structured header line cannot hold is left out: its records declare it.
bool fits_header(const std::string& name) {
  return name.find_first_of(",<>\"= ") == std::string::npos;
}

void append(bcf_hdr_t* header, const std::string& line) {
  if (bcf_hdr_append(header, line.c_str()) != 0) {
    throw Error("cannot add a line to the VCF header: " + line);
  }
}

void sync(bcf_hdr_t* header) {
  if (bcf_hdr_sync(header) != 0) throw std::bad_alloc();
}

}  // namespace

VariantHeader VariantHeader::of_contigs(std::span<const Contig> contigs) {
  auto impl = std::make_shared<Impl>();
  impl->header.reset(bcf_hdr_init("w"));
  if (!impl->header) throw std::bad_alloc();
  VariantHeader header(std::move(impl));
  header.add_contigs(contigs);
  return header;
}

bool VariantHeader::has_contigs() const {
  return impl_->header->n[BCF_DT_CTG] > 0;
}

void VariantHeader::add_contigs(std::span<const Contig> contigs) {
  const std::lock_guard lock(impl_->mutex);
  bcf_hdr_t* const header = impl_->header.get();
  for (const Contig& contig : contigs) {
    if (!fits_header(contig.name) || bcf_hdr_name2id(header, contig.name.c_str()) >= 0) continue;
    append(header,
           "##contig=<ID=" + contig.name + ",length=" + std::to_string(contig.length) + ">");
  }
  sync(header);
}

void VariantHeader::declare_scores(const VariantScoreFields& fields) {
  const std::lock_guard lock(impl_->mutex);
  bcf_hdr_t* const header = impl_->header.get();
  bcf_hdr_remove(header, BCF_HL_INFO, "GM_LLR");
  bcf_hdr_remove(header, BCF_HL_INFO, "GM_SKIP");
  if (bcf_hdr_get_hrec(header, BCF_HL_GEN, "genomamba", nullptr, nullptr) != nullptr) {
    for (const char* key : {"genomamba", "model", "options"})
      bcf_hdr_remove(header, BCF_HL_GEN, key);
  }
  for (const std::string& line : fields.provenance)
    append(header, "##" + line);
  append(header, "##INFO=<ID=GM_LLR,Number=A,Type=Float,Description=\"" +
                     quoted(fields.llr_description) + "\">");
  append(header, "##INFO=<ID=GM_SKIP,Number=A,Type=String,Description=\"" +
                     quoted(fields.skip_description) + "\">");
  sync(header);
}

}  // namespace genomamba::io
