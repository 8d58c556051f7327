// SPDX-License-Identifier: MIT
// VCF and BCF by htslib: a header, a reader, and a writer that adds the scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genomamba/core/log.hpp"
#include "genomamba/io/reference_reader.hpp"
#include "genomamba/io/region.hpp"
#include "genomamba/io/variant_record.hpp"

namespace genomamba::io {

/// What declares the scores in a header.
struct VariantScoreFields {
  std::string llr_description;          ///< of GM_LLR
  std::string skip_description;         ///< of GM_SKIP
  std::vector<std::string> provenance;  ///< lines without "##"; empty: none
};

/// One header serves the reader and the writer of a run, since reading may define what the header
/// lacks. Copies share it. Calls of reader and writer may come from two threads.
class VariantHeader {
 public:
  /// The header of a file that has nothing but these contigs.
  static VariantHeader of_contigs(std::span<const Contig> contigs);

  bool has_contigs() const;
  /// Declares contigs that are not there yet.
  void add_contigs(std::span<const Contig> contigs);
  /// Declares GM_LLR and GM_SKIP anew, and the provenance instead of that of an earlier run.
  void declare_scores(const VariantScoreFields& fields);

  struct Impl;
  explicit VariantHeader(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  Impl& impl() const noexcept { return *impl_; }

 private:
  std::shared_ptr<Impl> impl_;
};

/// Plain, gzip or BGZF VCF, compressed or raw BCF, "-": stdin; recognised by content.
class VariantReader {
 public:
  /// `regions`: nothing: all records; else those whose POS lies inside one, in the file's order, by
  /// the index beside the file if there is one that is not older, else by reading all of it.
  /// Throws InputError.
  VariantReader(const std::string& path, const std::optional<std::vector<Region>>& regions,
                const ReferenceReader& reference, LogSink& log);
  ~VariantReader();

  const VariantHeader& header() const noexcept;
  /// False at the end of the data. Alleles of letters come in upper case, since case means nothing
  /// in them. Throws InputError naming the record: malformed or truncated.
  bool read(VariantRecord& record);
  /// "VCF" or "BCF".
  const char* format() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

enum class VariantFormat { kVcf, kVcfGz, kBcf, kRawBcf };

struct VariantWriterOptions {
  std::string path = "-";
  VariantFormat format = VariantFormat::kVcf;
  /// A .tbi beside a .vcf.gz (.csi if a contig is longer than 2^29 bases), a .csi beside a .bcf.
  bool write_index = false;
};

/// One thread at a time. The file (and its index) appear by commit(), whole.
class VariantWriter {
 public:
  /// Writes the header. Throws OutputError; UsageError: an index is wanted of what can have none.
  VariantWriter(const VariantWriterOptions& options, const VariantHeader& header);
  ~VariantWriter();

  /// Writes the record with its scores, one an ALT: NaN is a missing GM_LLR, an empty word a
  /// missing GM_SKIP; a field that is missing for all is left out. GM_ fields that the record had
  /// are replaced. `skip` may have one word more than there are ALTs: none. Throws OutputError,
  /// BrokenPipe, InputError: what BCF cannot say.
  void write(VariantRecord& record, std::span<const float> llr,
             std::span<const std::string_view> skip);
  void finish_writing();
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace genomamba::io
