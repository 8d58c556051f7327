// SPDX-License-Identifier: MIT
#include <cerrno>
#include <string_view>
#include <system_error>

#include "byte_source.hpp"
#include "genomamba/core/error.hpp"

namespace genomamba::io {
namespace {

/// Blocks of one job of htslib's reading threads.
constexpr int kBlocksPerJob = 256;

}  // namespace

BgzfSource::BgzfSource(OpenedInput input, int threads, LogSink* log)
    : fd_(input.fd), name_(std::move(input.name)), at_open_(input.at_open), log_(log) {
  bgzf_.reset(bgzf_hopen(input.file.get(), "r"));
  if (!bgzf_) throw InputError(name_, "", "cannot read the start of the file");
  (void)input.file.release();  // bgzf_close() closes it now
  const bool is_bgzf = bgzf_->is_compressed && !bgzf_->is_gzip;
  if (threads > 0 && is_bgzf && bgzf_mt(bgzf_.get(), threads, kBlocksPerJob) != 0) {
    throw InputError(name_, "", "cannot start decompression threads");
  }
  if (bgzf_read_block(bgzf_.get()) != 0) throw InputError(name_, "", error_text());
}

std::string_view BgzfSource::first_block() const {
  return {static_cast<const char*>(bgzf_->uncompressed_block),
          static_cast<std::size_t>(bgzf_->block_length)};
}

std::size_t BgzfSource::read(char* buffer, std::size_t size) {
  const ssize_t n = bgzf_read(bgzf_.get(), buffer, size);
  if (n < 0) throw InputError(name_, "", error_text());
  if (n == 0) check_end();
  return static_cast<std::size_t>(n);
}

std::string BgzfSource::error_text() const {
  if (const int reason = herrno(bgzf_->fp); reason != 0) {
    return "cannot read: " + std::generic_category().message(reason);
  }
  if (!bgzf_->is_compressed) return "cannot read";
  const std::string kind = bgzf_->is_gzip ? "gzip" : "BGZF";
  const unsigned errors = bgzf_->errcode;
  if ((errors & BGZF_ERR_IO) != 0) return "truncated " + kind + " data (unexpected end of file)";
  if ((errors & BGZF_ERR_HEADER) != 0) {
    return "invalid BGZF block header: damaged, or followed by something that is no BGZF block";
  }
  if ((errors & BGZF_ERR_CRC) != 0) return "corrupt " + kind + " data (wrong CRC)";
  return "corrupt " + kind + " data (wrong CRC, damaged, or followed by something else)";
}

void BgzfSource::check_end() const {
  check_unchanged(fd_, at_open_, name_, log_);
  const bool is_bgzf = bgzf_->is_compressed && !bgzf_->is_gzip;
  if (!is_bgzf || !bgzf_->no_eof_block) return;
  if (end_block_ == EndBlock::kRequired) {
    throw InputError(
        name_, "",
        "no BGZF end-of-file block: the file may be truncated (if it is whole, add the "
        "block: bgzip -dc FILE | bgzip)");
  }
  if (log_ == nullptr) return;
  log_->write(LogLevel::kWarning,
              name_ +
                  ": no BGZF end-of-file block: written by a program that makes none, such as "
                  "bcl2fastq, or truncated between two records");
}

}  // namespace genomamba::io
