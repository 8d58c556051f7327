// SPDX-License-Identifier: MIT
// Compressed inputs: whole ones are read to the last member, damaged ones are errors, wherever the
// damage is.
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "error_text.hpp"
#include "make_files.hpp"
#include "read_all.hpp"
#include "tmp_dir.hpp"

namespace genomamba::io {
namespace {

using test::contains;
using test::error_text;
using test::read_all;
using test::TmpDir;
using test::to_bgzf;
using test::to_gzip;
using test::to_text;
using test::to_zstd;

/// htslib 1.16 to 1.21 lose 32 bytes when a block fails in a reading thread; the leak checker would
/// stop at that.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kTestsFailingThreads = false;
#else
constexpr bool kTestsFailingThreads = true;
#endif

const std::string kReads = "@a\nACGT\n+\nIIII\n@b\nGG\n+\nII\n";
const std::string kReadsText = "a  ACGT|b  GG";

/// Reads big enough for several blocks; each name is its number.
std::string many_reads(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) {
    text += "@" + std::to_string(i) + "\nACGTTGCAACGTACGTTTGCA\n+\nIIIIIIIIIIIIIIIIIIIII\n";
  }
  return text;
}

std::string read_bytes(const std::string& bytes, int threads = 0) {
  const TmpDir dir;
  const std::string path = dir.write("in", bytes);
  std::string text;
  const std::string error = error_text([&] {
    OpenOptions options;
    options.decompression_threads = threads;
    text = to_text(read_all(path, options));
  });
  if (error == "no error") return text;
  REQUIRE(contains(error, path + ": "));
  REQUIRE_FALSE(contains(error, "\n"));
  return error.substr(path.size() + 2);
}

TEST_CASE("gzip, BGZF and zstd give what the plain file gives") {
  CHECK(read_bytes(kReads) == kReadsText);
  CHECK(read_bytes(to_gzip(kReads)) == kReadsText);
  CHECK(read_bytes(to_zstd(kReads)) == kReadsText);
  for (const int threads : {0, 2}) {
    CHECK(read_bytes(to_gzip(kReads), threads) == kReadsText);
    CHECK(read_bytes(to_bgzf(kReads), threads) == kReadsText);
    CHECK(read_bytes(to_bgzf(kReads, 5), threads) == kReadsText);
  }
  const std::string many = many_reads(20000);
  const std::string want = read_bytes(many);
  CHECK(read_bytes(to_gzip(many)) == want);
  CHECK(read_bytes(to_zstd(many)) == want);
  CHECK(read_bytes(to_bgzf(many)) == want);
  CHECK(read_bytes(to_bgzf(many), 3) == want);
}

TEST_CASE("several members, frames and end-of-file blocks") {
  const std::string half = kReads.substr(0, 10);
  const std::string rest = kReads.substr(10);
  CHECK(read_bytes(to_gzip(half) + to_gzip(rest)) == kReadsText);
  CHECK(read_bytes(to_gzip("") + to_gzip(half) + to_gzip("") + to_gzip(rest) + to_gzip("")) ==
        kReadsText);
  CHECK(read_bytes(to_zstd(half) + to_zstd(rest)) == kReadsText);
  CHECK(read_bytes(to_zstd("") + to_zstd(half) + to_zstd(rest)) == kReadsText);
  for (const int threads : {0, 2}) {
    CHECK(read_bytes(to_bgzf(half) + to_bgzf(rest), threads) == kReadsText);
    CHECK(read_bytes(to_bgzf("") + to_bgzf(half) + to_bgzf("") + to_bgzf(rest), threads) ==
          kReadsText);
  }
  // pzstd begins with a skippable frame.
  const std::string skippable("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);
  CHECK(read_bytes(skippable + to_zstd(kReads)) == kReadsText);
  std::string members;
  for (int i = 0; i < 3000; ++i)
    members += to_bgzf("@" + std::to_string(i) + "\nA\n+\nI\n", 4, false);
  CHECK(read_bytes(members + to_bgzf("")).size() > 3000 * 4);
}

TEST_CASE("gzip after BGZF and BGZF after gzip") {
  for (const int threads : {0, 2}) {
    CHECK(read_bytes(to_gzip(kReads) + to_bgzf("@c\nA\n+\nI\n"), threads) == kReadsText + "|c  A");
    // htslib 1.21's reading threads refuse plain gzip after BGZF: an error, never lost records.
    const std::string mixed = read_bytes(to_bgzf(kReads) + to_gzip("@c\nA\n+\nI\n"), threads);
    CHECK((mixed == kReadsText + "|c  A" || (threads > 0 && contains(mixed, "truncated"))));
  }
}

TEST_CASE("compressed inputs without a byte") {
  CHECK(read_bytes(to_gzip("")).empty());
  CHECK(read_bytes(to_zstd("")).empty());
  CHECK(read_bytes(to_bgzf("")).empty());
}

TEST_CASE("a compressed file cut at any byte is an error") {
  const std::string many = many_reads(40);
  const auto cut_everywhere = [](const std::string& whole, int threads, bool is_bgzf) {
    const std::string want = read_bytes(whole, threads);
    REQUIRE(contains(want, "39  ACGT"));
    for (std::size_t n = 1; n < whole.size(); ++n) {
      const std::string got = read_bytes(whole.substr(0, n), threads);
      INFO("cut at " << n << " of " << whole.size() << ": " << got);
      const bool is_error =
          contains(got, "truncated") || contains(got, "invalid BGZF block header") ||
          contains(got, "no FASTA or FASTQ record") || contains(got, "binary data");
      // A FASTQ that lacks nothing but the end-of-file block gives all its records and a remark.
      const bool lacks_end_block = n + 28 == whole.size() && got == want;
      CHECK((is_error || (is_bgzf && lacks_end_block)));
    }
  };
  SECTION("gzip") {
    cut_everywhere(to_gzip(many), 0, false);
  }
  SECTION("zstd") {
    cut_everywhere(to_zstd(many), 0, false);
  }
  SECTION("BGZF") {
    cut_everywhere(to_bgzf(many, 700), 0, true);
  }
  SECTION("BGZF, threads") {
    if (kTestsFailingThreads) cut_everywhere(to_bgzf(many, 700), 2, true);
  }
}

TEST_CASE("the words for damaged data") {
  CHECK(read_bytes(to_gzip(kReads).substr(0, 40)) ==
        "truncated gzip data (unexpected end of file)");
  CHECK(read_bytes(to_zstd(kReads).substr(0, 20)) ==
        "truncated zstd data (unexpected end of file)");
  std::string bad_crc = to_gzip(kReads);
  bad_crc[bad_crc.size() - 8] ^= 1;
  CHECK(contains(read_bytes(bad_crc), "corrupt gzip data (wrong CRC"));
  std::string bad_block = to_bgzf(kReads);
  bad_block[bad_block.size() - 28 - 8] ^= 1;
  CHECK(contains(read_bytes(bad_block), "corrupt BGZF data (wrong CRC"));
  if (kTestsFailingThreads)
    CHECK(contains(read_bytes(bad_block, 2), "corrupt BGZF data (wrong CRC"));
}

TEST_CASE("no BGZF end-of-file block: a remark for FASTQ, an error where a cut could not be seen") {
  const TmpDir dir;
  for (const int threads : {0, 2}) {
    OpenOptions options;
    options.decompression_threads = threads;
    const auto fastq = read_all(dir.write("x.fq.gz", to_bgzf(kReads, 0xff00, false)), options);
    CHECK(to_text(fastq) == kReadsText);
    REQUIRE(fastq.remarks.size() >= 1);
    CHECK(contains(fastq.remarks[0], "x.fq.gz: no BGZF end-of-file block"));
  }
  const std::string sam = "@HD\tVN:1.6\nr\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI\n";
  for (const std::string& text : {std::string(">a\nACGT\n"), sam}) {
    CHECK(contains(read_bytes(to_bgzf(text, 0xff00, false)), "no BGZF end-of-file block"));
    CHECK(contains(read_bytes(to_bgzf(text, 0xff00, false), 2), "no BGZF end-of-file block"));
  }
}

TEST_CASE("every flipped bit of a gzip or BGZF body is noticed") {
  // Flags and times of the headers may change without harm; the bytes after them may not.
  const auto flip_everywhere = [](const std::string& whole, std::size_t begin, std::size_t end) {
    const std::string want = read_bytes(whole);
    for (std::size_t i = begin; i < end; ++i) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
      const std::string got = read_bytes(damaged);
      INFO("byte " << i << ": " << got);
      CHECK(got != want);
      CHECK_FALSE(contains(got, "a  ACGT|b"));
    }
  };
  flip_everywhere(to_gzip(kReads), 10, to_gzip(kReads).size());
  // Up to the CRC of the first block: htslib does not compare the length after it, the CRC does
  // that work.
  constexpr std::size_t kHeader = 16, kLength = 4, kEndBlock = 28;
  const std::string blocks = to_bgzf(kReads);
  flip_everywhere(blocks, kHeader, blocks.size() - kEndBlock - kLength);
}

TEST_CASE("bytes after the compressed data are never read as records") {
  for (const std::string& trailer :
       {std::string(1, 'x'), std::string(1000, '\0'), "@c\nA\n+\nI\n" + std::string(40, 'z')}) {
    for (const std::string& body : {to_gzip(kReads), to_bgzf(kReads), to_zstd(kReads)}) {
      const std::string got = read_bytes(body + trailer);
      INFO(got);
      CHECK((contains(got, "corrupt") || contains(got, "truncated") || contains(got, "invalid")));
    }
  }
}

TEST_CASE("other compressions are refused by name") {
  CHECK(contains(read_bytes("BZh91AY&SY-and-so-on-and-on"), "bzip2 compression is not supported"));
  CHECK(contains(read_bytes(std::string("\xfd\x37zXZ\0\0\x04-and-so-on-and-on", 24)),
                 "xz compression"));
  CHECK(contains(read_bytes("PK\x03\x04-and-so-on-and-on-and-on"), "zip compression"));
  CHECK(contains(read_bytes("7z\xbc\xaf\x27\x1c-and-so-on-and-on"), "7z compression"));
  CHECK(contains(read_bytes("\x1f\x9d\x90-and-so-on-and-on-and-on"), "compress (.Z) compression"));
  CHECK(contains(read_bytes("\x04\x22\x4d\x18-and-so-on-and-on"), "lz4 compression"));
  CHECK(contains(read_bytes("LZIP\x01-and-so-on-and-on-and-on"), "lzip compression"));
  CHECK(contains(read_bytes(to_gzip(to_gzip(kReads))), "compressed twice"));
  CHECK(contains(read_bytes(to_zstd(to_bgzf(kReads))), "compressed twice"));
  CHECK(contains(read_bytes(to_gzip(to_zstd(kReads))), "compressed twice"));
}

TEST_CASE("inputs that cannot be opened") {
  const TmpDir dir;
  CHECK(error_text([&] { read_all(dir.path()); }) == dir.path() + ": is a directory");
  CHECK(error_text([&] { read_all(dir.file("nope.fa")); }) ==
        dir.file("nope.fa") + ": cannot open: No such file or directory");
  CHECK(contains(error_text([&] { read_all(""); }), "cannot open"));
  CHECK(contains(error_text([&] { read_all("http://localhost:1/x.fa"); }),
                 "No such file or directory"));
  if (geteuid() != 0) {
    const std::string path = dir.write("secret.fa", ">a\nA\n");
    chmod(path.c_str(), 0);
    CHECK(error_text([&] { read_all(path); }) == path + ": cannot open: Permission denied");
  }
}

TEST_CASE("a FIFO is read once, plain or compressed") {
  const TmpDir dir;
  const std::string path = dir.file("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const std::string many = many_reads(5000);
  const std::string want = read_bytes(many);
  for (const std::string& bytes : {many, to_gzip(many), to_bgzf(many), to_zstd(many)}) {
    std::thread writer([&] {
      std::ofstream out(path, std::ios::binary);
      out << bytes;
    });
    CHECK(to_text(read_all(path)) == want);
    writer.join();
  }
}

TEST_CASE("a file that shrinks while it is read is an error, one that grows is a remark") {
  const TmpDir dir;
  const std::string text =
      ">a\n" + std::string(300000, 'A') + "\n>b\n" + std::string(300000, 'C') + "\n";
  const std::string path = dir.write("in.fa", text);
  test::RecordingLog log;
  OpenOptions options;
  options.log = &log;
  SequenceRecord record;
  SECTION("shrinks") {
    const auto reader = open_record_reader(path, options);
    REQUIRE(reader->read(record));
    REQUIRE(truncate(path.c_str(), 400000) == 0);
    CHECK(contains(error_text([&] { reader->read(record); }), "became shorter"));
  }
  SECTION("grows") {
    const auto reader = open_record_reader(path, options);
    REQUIRE(reader->read(record));
    std::ofstream(path, std::ios::app) << ">c\nA\n";
    while (reader->read(record)) {
    }
    REQUIRE(log.lines.size() == 1);
    CHECK(contains(log.lines[0], "was changed while"));
  }
  SECTION("is removed") {
    const auto reader = open_record_reader(path, options);
    REQUIRE(unlink(path.c_str()) == 0);
    REQUIRE(reader->read(record));
    REQUIRE(reader->read(record));
    CHECK(record.sequence == std::string(300000, 'C'));
    CHECK_FALSE(reader->read(record));
  }
}

}  // namespace
}  // namespace genomamba::io
