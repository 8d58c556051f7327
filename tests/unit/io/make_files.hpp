// SPDX-License-Identifier: MIT
// Compressed and alignment files made by the tests with the libraries themselves.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace genomamba::test {

/// One gzip member (no BGZF).
std::string to_gzip(std::string_view bytes);
/// BGZF blocks of at most `block_bytes` input bytes, with the end-of-file block unless `has_eof` is
/// false.
std::string to_bgzf(std::string_view bytes, std::size_t block_bytes = 0xff00, bool has_eof = true);
/// The content of gzip or BGZF bytes.
std::string from_gzip(std::string_view bytes);
/// One Zstandard frame.
std::string to_zstd(std::string_view bytes);

/// SAM text through htslib into "bam" or "cram" at `path`; `reference`: FASTA for CRAM (index
/// beside it is made).
void write_alignments(const std::string& sam_text, const std::string& format,
                      const std::string& path, const std::string& reference = {});

/// Hexadecimal MD5, as in the M5 tag of @SQ.
std::string md5_of(std::string_view bytes);

}  // namespace genomamba::test
