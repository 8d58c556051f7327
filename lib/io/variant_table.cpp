// SPDX-License-Identifier: MIT
#include "genomamba/io/variant_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "genomamba/io/output_file.hpp"
#include "indexed_text.hpp"

namespace genomamba::io {

struct VariantTable::Impl {
  OutputFile file;
  std::string row;
};

VariantTable::VariantTable(const std::string& path, const std::vector<std::string>& provenance)
    : impl_(new Impl{OutputFile(path), {}}) {
  impl_->file.write(provenance_text(provenance) + "#contig\tpos\tid\tref\talt\tllr\tskip\n");
}
VariantTable::~VariantTable() = default;

void VariantTable::write(const VariantRecord& record, std::size_t alt, double llr,
                         std::string_view skip) {
  std::string& row = impl_->row;
  row.clear();
  fmt::format_to(std::back_inserter(row), "{}\t{}\t{}\t{}\t{}\t", record.contig(),
                 record.position() + 1, record.id(), record.ref(),
                 alt < record.n_alts() ? record.alt(alt) : std::string_view("."));
  if (std::isnan(llr)) {
    row += '.';
  } else {
    // Adding 0 turns -0 into 0.
    fmt::format_to(std::back_inserter(row), "{:.7f}", llr + 0.0);
  }
  row += '\t';
  row += skip.empty() ? std::string_view(".") : skip;
  row += '\n';
  impl_->file.write(row);
}

void VariantTable::finish_writing() {
  impl_->file.finish_writing();
}
void VariantTable::commit() {
  impl_->file.commit();
}

}  // namespace genomamba::io
