// SPDX-License-Identifier: MIT
#include "alignment_reader.hpp"

#include <fmt/format.h>
#include <htslib/cram.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "cram_reference.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/core/nucleotide.hpp"

namespace genomamba::io {
namespace {

BamRecordPtr make_bam_record() {
  BamRecordPtr record(bam_init1());
  if (!record) throw std::bad_alloc();
  return record;
}

Mate mate_of(std::uint16_t flags) {
  if ((flags & BAM_FPAIRED) == 0) return Mate::kNone;
  const bool is_first = (flags & BAM_FREAD1) != 0;
  const bool is_second = (flags & BAM_FREAD2) != 0;
  if (is_first == is_second) return Mate::kNone;  // neither, or an inner read of a longer template
  return is_first ? Mate::kFirst : Mate::kSecond;
}

/// The read as it was sequenced: a reverse-strand alignment is complemented back.
void to_record(const bam1_t& bam, SequenceRecord& record) {
  record.origin = 0;
  record.flags = bam.core.flag;
  record.mate = mate_of(record.flags);
  record.id = bam_get_qname(&bam);
  record.comment.clear();
  if (record.mate != Mate::kNone) record.id += record.mate == Mate::kFirst ? "/1" : "/2";
  record.sequence.resize(static_cast<std::size_t>(bam.core.l_qseq));
  const std::uint8_t* const packed = bam_get_seq(&bam);
  for (std::size_t i = 0; i < record.sequence.size(); ++i) {
    record.sequence[i] = seq_nt16_str[bam_seqi(packed, i)];
  }
  if ((record.flags & BAM_FREVERSE) != 0) reverse_complement(record.sequence);
}

class SamReader final : public RecordReader {
 public:
  SamReader(TextScanner scanner, std::string name)
      : scanner_(std::move(scanner)), name_(std::move(name)), bam_(make_bam_record()) {
    std::string text;
    while (scanner_.peek() == '@') {
      read_line();
      text.append(line_.value.s, line_.value.l).push_back('\n');
    }
    header_.reset(sam_hdr_parse(text.size(), text.c_str()));
    // Parsing is lazy: this call is what reads the lines.
    if (!header_ || sam_hdr_count_lines(header_.get(), "SQ") < 0) {
      throw InputError(name_, fmt::format("lines 1 to {}", scanner_.line()),
                       "malformed SAM header");
    }
  }

  bool read(SequenceRecord& record) override {
    scanner_.skip_blank();
    if (scanner_.peek() < 0) return false;
    record.number = ++n_records_;
    read_line();
    const std::string_view fields(line_.value.s, line_.value.l);
    record.id = fields.substr(0, fields.find('\t'));
    if (fields.find('\0') != std::string_view::npos) fail(record, "a NUL byte");
    if (fields.find('\r') != std::string_view::npos)
      fail(record, "a carriage return inside the line");
    // sam_parse1() writes into the line, so faults are named from a copy.
    copy_.assign(fields);
    if (sam_parse1(&line_.value, header_.get(), bam_.get()) < 0) fail(record, explain());
    to_record(*bam_, record);
    return true;
  }

  const char* format() const noexcept override { return "SAM"; }

 private:
  /// Reads a line into line_, without its CR.
  void read_line() {
    line_.value.l = 0;
    TextScanner::Piece piece;
    do {
      piece = scanner_.next_piece();
      if (!piece.text.empty() && kputsn(piece.text.data(), piece.text.size(), &line_.value) < 0) {
        throw std::bad_alloc();
      }
    } while (!piece.ends_line);
    while (line_.value.l > 0 && line_.value.s[line_.value.l - 1] == '\r') {
      line_.value.s[--line_.value.l] = '\0';
    }
  }

  std::string explain() const {
    std::vector<std::string_view> fields;
    std::string_view rest = copy_;
    while (true) {
      const std::size_t tab = rest.find('\t');
      fields.push_back(rest.substr(0, tab));
      if (tab == std::string_view::npos) break;
      rest.remove_prefix(tab + 1);
    }
    constexpr std::size_t kMandatory = 11;
    constexpr std::size_t kRname = 2, kSeq = 9, kQual = 10;
    if (fields.size() < kMandatory) {
      return fmt::format("{} of the {} mandatory SAM fields: malformed or truncated", fields.size(),
                         kMandatory);
    }
    if (fields[kRname] != "*" && sam_hdr_nref(header_.get()) == 0) {
      return "the file has no @SQ header line (samtools view drops the header without -h)";
    }
    if (fields[kQual] != "*" && fields[kQual].size() != fields[kSeq].size()) {
      return fmt::format("quality length {}, sequence length {}", fields[kQual].size(),
                         fields[kSeq].size());
    }
    return "malformed SAM record";
  }

  [[noreturn]] void fail(const SequenceRecord& record, const std::string& reason) const {
    throw InputError(name_, fmt::format("{}, line {}", describe(record), scanner_.line()), reason);
  }

  TextScanner scanner_;
  std::string name_;
  SamHeaderPtr header_;
  BamRecordPtr bam_;
  KString line_;
  std::string copy_;
  std::uint64_t n_records_ = 0;
};

class BamReader final : public RecordReader {
 public:
  explicit BamReader(std::unique_ptr<BgzfSource> source)
      : source_(std::move(source)),
        header_(bam_hdr_read(source_->handle())),
        bam_(make_bam_record()) {
    if (!header_) throw InputError(source_->name(), "BAM header", "malformed or truncated");
  }

  bool read(SequenceRecord& record) override {
    record.number = ++n_records_;
    const int result = bam_read1(source_->handle(), bam_.get());
    if (result == -1) {
      source_->check_end();
      return false;
    }
    if (result < -1) {
      const bool is_decoded = source_->handle()->errcode == 0;
      throw InputError(source_->name(), fmt::format("record {}", n_records_),
                       is_decoded ? "truncated or malformed BAM record" : source_->error_text());
    }
    to_record(*bam_, record);
    return true;
  }

  const char* format() const noexcept override { return "BAM"; }

 private:
  std::unique_ptr<BgzfSource> source_;
  SamHeaderPtr header_;
  BamRecordPtr bam_;
  std::uint64_t n_records_ = 0;
};

class CramReader final : public RecordReader {
 public:
  CramReader(OpenedInput input, const OpenOptions& options)
      : name_(std::move(input.name)),
        fd_(input.fd),
        at_open_(input.at_open),
        log_(options.log),
        reference_(options.reference_path),
        bam_(make_bam_record()) {
    file_.reset(hts_hopen(input.file.get(), name_.c_str(), "r"));
    if (file_) (void)input.file.release();  // hts_close() closes it now
    if (!file_ || file_->format.format != cram) {
      throw InputError(name_, "CRAM header", "malformed or truncated");
    }
    // Qualities, tags and alignments are not decoded. The name of the contig is kept for messages.
    constexpr int kFields = SAM_QNAME | SAM_FLAG | SAM_RNAME | SAM_SEQ;
    if (hts_set_opt(file_.get(), CRAM_OPT_REQUIRED_FIELDS, kFields) != 0 ||
        hts_set_opt(file_.get(), CRAM_OPT_DECODE_MD, 0) != 0) {
      throw InputError(name_, "", "htslib refuses its CRAM options");
    }
    if (options.decompression_threads > 0 &&
        hts_set_threads(file_.get(), options.decompression_threads) != 0) {
      throw InputError(name_, "", "cannot start decompression threads");
    }
    header_.reset(sam_hdr_read(file_.get()));
    if (!header_) throw InputError(name_, "CRAM header", "malformed or truncated");
    reference_.attach(*file_, name_);
  }

  bool read(SequenceRecord& record) override {
    record.number = ++n_records_;
    const int result = sam_read1(file_.get(), header_.get(), bam_.get());
    if (result >= 0) {
      last_contig_ = std::max(last_contig_, bam_->core.tid);
      to_record(*bam_, record);
      return true;
    }
    check_unchanged(fd_, at_open_, name_, log_);
    if (result == -1) {
      // htslib calls every end of file an end of data; only the first kind is one.
      constexpr int kEndBlockSeen = 1;
      if (cram_eof(file_->fp.cram) != kEndBlockSeen) {
        throw InputError(name_, fmt::format("record {}", n_records_),
                         "no CRAM end-of-file container: the file is truncated");
      }
      return false;
    }
    throw InputError(name_, fmt::format("record {}", n_records_),
                     reference_.explain_failure(*header_, last_contig_));
  }

  const char* format() const noexcept override { return "CRAM"; }

 private:
  std::string name_;
  int fd_;
  struct stat at_open_;
  LogSink* log_;
  CramReference reference_;  // outlives file_, which reads its temporary index
  SamHeaderPtr header_;
  HtsFilePtr file_;
  BamRecordPtr bam_;
  std::uint64_t n_records_ = 0;
  std::int32_t last_contig_ = 0;
};

}  // namespace

std::unique_ptr<RecordReader> make_sam_reader(TextScanner scanner, const std::string& name) {
  return std::make_unique<SamReader>(std::move(scanner), name);
}

std::unique_ptr<RecordReader> make_bam_reader(std::unique_ptr<BgzfSource> source) {
  return std::make_unique<BamReader>(std::move(source));
}

std::unique_ptr<RecordReader> make_cram_reader(OpenedInput input, const OpenOptions& options) {
  return std::make_unique<CramReader>(std::move(input), options);
}

}  // namespace genomamba::io
