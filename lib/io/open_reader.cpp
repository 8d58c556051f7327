// SPDX-License-Identifier: MIT
// open_record_reader: recognises a format by its content, never by its name.
#include <algorithm>
#include <string_view>

#include "alignment_reader.hpp"
#include "byte_source.hpp"
#include "cram_reference.hpp"
#include "fastx_reader.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/record_reader.hpp"
#include "text_scanner.hpp"

namespace genomamba::io {
namespace {

using namespace std::string_view_literals;

bool is_sam_header(std::string_view text) {
  constexpr std::string_view kKinds[] = {"@HD\t", "@SQ\t", "@RG\t", "@PG\t", "@CO\t"};
  return std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](std::string_view kind) { return text.starts_with(kind); });
}

/// A first line of at least eleven fields, of which the second and the fourth are numbers.
bool is_sam_record(std::string_view text) {
  constexpr std::size_t kMandatory = 11;
  if (text.starts_with('>') || text.starts_with('@')) return false;
  const std::string_view line = text.substr(0, text.find('\n'));
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t n_fields = 0;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    const std::string_view field = line.substr(begin, end - begin);
    ++n_fields;
    const bool is_number = n_fields == 2 || n_fields == 4;
    if (field.empty() || (is_number && !std::all_of(field.begin(), field.end(), is_digit))) {
      return false;
    }
    begin = end + 1;
  }
  return n_fields >= kMandatory;
}

/// Throws InputError when the text is of a kind that can be named.
void refuse_other_kinds(std::string_view text, const std::string& name) {
  if (text.starts_with("\x1f\x8b"sv) || text.starts_with("BZh"sv) ||
      text.starts_with("\xfd\x37zXZ"sv) || text.starts_with("\x28\xb5\x2f\xfd"sv)) {
    throw InputError(name, "", "is compressed twice; decompress it once");
  }
  if (text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv)) {
    throw InputError(name, "", "is UTF-16 text; convert it to plain ASCII or UTF-8");
  }
  if (text.starts_with("BAM\1"sv) || text.starts_with("CRAM"sv)) {
    throw InputError(name, "", "BAM or CRAM inside another compression is not supported");
  }
  if (text.starts_with("BCF"sv) || text.starts_with("##fileformat=VCF"sv)) {
    throw InputError(name, "", "is VCF or BCF; FASTA, FASTQ, SAM, BAM or CRAM is needed");
  }
  constexpr std::size_t kLooked = 1024;
  const std::string_view start = text.substr(0, kLooked);
  const bool has_record = start.starts_with('>') || start.starts_with('@');
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
  };
  if (!has_record && std::any_of(start.begin(), start.end(), is_control)) {
    throw InputError(name, "", "is binary data, not FASTA, FASTQ, SAM, BAM or CRAM");
  }
}

std::unique_ptr<RecordReader> open_text(std::unique_ptr<ByteSource> source, const std::string& name,
                                        LogSink* log) {
  TextScanner scanner(std::move(source));
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (scanner.look_ahead().starts_with(kByteOrderMark)) scanner.skip_bytes(kByteOrderMark.size());
  const std::string_view text = scanner.look_ahead();
  refuse_other_kinds(text, name);
  if (is_sam_header(text) || is_sam_record(text)) return make_sam_reader(std::move(scanner), name);
  return std::make_unique<FastxReader>(std::move(scanner), name, log);
}

}  // namespace

std::unique_ptr<RecordReader> open_record_reader(const std::string& path,
                                                 const OpenOptions& options) {
  // Its messages go to stderr; ours say the same in the error that is thrown.
  hts_set_log_level(HTS_LOG_OFF);
  OpenedInput input = open_input(path);
  const std::string name = input.name;
  const Compression compression = detect_compression(input);
  if (compression == Compression::kZstd) {
    return open_text(make_zstd_source(std::move(input), options.log), name, options.log);
  }
  if (compression == Compression::kPlain && is_cram(input)) {
    make_reference_search_local();
    return make_cram_reader(std::move(input), options);
  }
  auto source =
      std::make_unique<BgzfSource>(std::move(input), options.decompression_threads, options.log);
  const std::string_view start = source->first_block();
  if (start.starts_with("BAM\1"sv)) return make_bam_reader(std::move(source));
  // No FASTQ of Illumina's bcl2fastq2 has the block, so that an error would refuse much of what is
  // sequenced; and a FASTQ that is cut inside a record is found in any case.
  if (start.starts_with('@') && !is_sam_header(start)) source->set_end_block(EndBlock::kExpected);
  return open_text(std::move(source), name, options.log);
}

}  // namespace genomamba::io
