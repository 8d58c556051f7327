// SPDX-License-Identifier: MIT
#include "make_files.hpp"

#include <htslib/bgzf.h>
#include <htslib/hts.h>
#include <htslib/sam.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "tmp_dir.hpp"

namespace genomamba::test {
namespace {

void require(bool is_true, const char* what) {
  if (!is_true) throw std::runtime_error(what);
}

}  // namespace

std::string to_gzip(std::string_view bytes) {
  const TmpDir dir;
  const std::string path = dir.file("x.gz");
  BGZF* const file = bgzf_open(path.c_str(), "wg");
  require(file != nullptr, "bgzf_open");
  require(bgzf_write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "write");
  require(bgzf_close(file) == 0, "bgzf_close");
  return read_file(path);
}

std::string to_bgzf(std::string_view bytes, std::size_t block_bytes, bool has_eof) {
  std::string result;
  std::array<char, BGZF_MAX_BLOCK_SIZE> block{};
  const auto add_block = [&](std::string_view part) {
    std::size_t n = block.size();
    require(bgzf_compress(block.data(), &n, part.data(), part.size(), 6) == 0, "bgzf_compress");
    result.append(block.data(), n);
  };
  while (!bytes.empty()) {
    const std::size_t n = std::min(bytes.size(), block_bytes);
    add_block(bytes.substr(0, n));
    bytes.remove_prefix(n);
  }
  if (has_eof) add_block({});
  return result;
}

std::string from_gzip(std::string_view bytes) {
  const TmpDir dir;
  BGZF* const file = bgzf_open(dir.write("x.gz", bytes).c_str(), "r");
  require(file != nullptr, "bgzf_open");
  std::string result;
  std::array<char, 4096> buffer{};
  ssize_t n = 0;
  while ((n = bgzf_read(file, buffer.data(), buffer.size())) > 0) {
    result.append(buffer.data(), static_cast<std::size_t>(n));
  }
  require(n == 0 && bgzf_close(file) == 0, "bgzf_read");
  return result;
}

std::string to_zstd(std::string_view bytes) {
  std::string result(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t n = ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), 3);
  require(ZSTD_isError(n) == 0, "ZSTD_compress");
  result.resize(n);
  return result;
}

void write_alignments(const std::string& sam_text, const std::string& format,
                      const std::string& path, const std::string& reference) {
  const TmpDir dir;
  const std::string sam_path = dir.write("in.sam", sam_text);
  htsFile* const in = hts_open(sam_path.c_str(), "r");
  require(in != nullptr, "hts_open for reading");
  htsFile* const out = hts_open(path.c_str(), format == "cram" ? "wc" : "wb");
  require(out != nullptr, "hts_open for writing");
  if (!reference.empty()) {
    require(hts_set_opt(out, CRAM_OPT_REFERENCE, reference.c_str()) == 0, "reference");
  }
  sam_hdr_t* const header = sam_hdr_read(in);
  require(header != nullptr && sam_hdr_write(out, header) == 0, "header");
  bam1_t* const record = bam_init1();
  int result = 0;
  while ((result = sam_read1(in, header, record)) >= 0) {
    require(sam_write1(out, header, record) >= 0, "sam_write1");
  }
  require(result == -1, "sam_read1");
  bam_destroy1(record);
  sam_hdr_destroy(header);
  require(hts_close(out) == 0 && hts_close(in) == 0, "hts_close");
}

std::string md5_of(std::string_view bytes) {
  hts_md5_context* const context = hts_md5_init();
  require(context != nullptr, "hts_md5_init");
  hts_md5_update(context, bytes.data(), bytes.size());
  std::array<unsigned char, 16> digest{};
  hts_md5_final(digest.data(), context);
  hts_md5_destroy(context);
  std::array<char, 33> text{};
  hts_md5_hex(text.data(), digest.data());
  return text.data();
}

}  // namespace genomamba::test
