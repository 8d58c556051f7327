// SPDX-License-Identifier: MIT
// VariantRecord: one line of a VCF or BCF, whole, with what a score needs of it in reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace genomamba::io {

class VariantHeader;

/// Movable. Belongs to the VariantHeader of the file that it was read from or made for.
class VariantRecord {
 public:
  VariantRecord();
  ~VariantRecord();
  VariantRecord(VariantRecord&&) noexcept;
  VariantRecord& operator=(VariantRecord&&) noexcept;

  /// Makes it a record that has these columns and no other; `alleles`: REF, ALT, ... with commas
  /// between. Throws Error: the contig is not in the header.
  void assign(VariantHeader& header, const std::string& contig, std::uint64_t position,
              const std::string& alleles);

  const std::string& contig() const noexcept;
  /// 0-based; -1 for POS 0, which stands for the telomere before the first base.
  std::int64_t position() const noexcept;
  /// "." if it has none.
  std::string_view id() const noexcept;
  std::size_t n_alts() const noexcept;
  std::string_view ref() const noexcept;
  /// As written, `i` from 0. Valid until the record is written.
  std::string_view alt(std::size_t i) const noexcept;

  /// "chr1:80 (rs5)": contig, 1-based position and ID, for messages.
  std::string describe() const;

  struct Impl;
  Impl& impl() noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::io
