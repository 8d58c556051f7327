// SPDX-License-Identifier: MIT
// SAM, BAM and CRAM: reads as they were sequenced, and every kind of cut.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "catch.hpp"
#include "cram_reference.hpp"
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
using test::to_text;
using test::write_alignments;
using namespace std::string_literals;

const std::string kContig =
    "ACGTTGCAACCGGTTAACGATCGATTACAGGCATCGAATCGGCTAAGCTTCGATAGCTAGGCATTACGGATCCTAGCATCGGATTA";

/// A FASTA of one contig "chr1" in `dir`.
std::string write_reference(const TmpDir& dir, const std::string& name = "ref.fa") {
  return dir.write(name, ">chr1\n" + kContig + "\n");
}

std::string sam_header(const std::string& more_tags = {}) {
  return "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:" + std::to_string(kContig.size()) +
         more_tags + "\n";
}

/// A line with a perfect match of 20 bases at the 1-based position.
std::string matched(const std::string& name, int flags, int position) {
  const std::string sequence = kContig.substr(static_cast<std::size_t>(position - 1), 20);
  return name + "\t" + std::to_string(flags) + "\tchr1\t" + std::to_string(position) +
         "\t60\t20M\t*\t0\t0\t" + sequence + "\t" + std::string(20, 'I') + "\n";
}

std::string unmapped(const std::string& name, int flags, const std::string& sequence) {
  const std::string quality = sequence == "*" ? "*" : std::string(sequence.size(), '#');
  return name + "\t" + std::to_string(flags) + "\t*\t0\t0\t*\t*\t0\t0\t" + sequence + "\t" +
         quality + "\n";
}

const std::string kBody = matched("fwd", 0, 1) + matched("rev", 16, 5) + matched("p", 99, 10) +
                          matched("p", 147, 12) + matched("dup", 1024, 13) +
                          unmapped("un", 4, "ACGNN") + unmapped("none", 4, "*");

const std::string kWant =
    "fwd  ACGTTGCAACCGGTTAACGA|rev  TCGATCGTTAACCGGTTGCA|p/1  CCGGTTAACGATCGATTACA|"
    "p/2  CCTGTAATCGATCGTTAACC|dup  GTTAACGATCGATTACAGGC|un  ACGNN|none  ";

TEST_CASE("SAM: strand, pairs, flags, missing sequence") {
  const TmpDir dir;
  const auto result = read_all(dir.write("in.sam", sam_header() + kBody));
  CHECK(result.format == "SAM");
  CHECK(to_text(result) == kWant);
  REQUIRE(result.records.size() == 7);
  CHECK(result.records[1].flags == 16);
  CHECK(result.records[2].mate == Mate::kFirst);
  CHECK(result.records[3].mate == Mate::kSecond);
  CHECK(result.records[4].mate == Mate::kNone);
  CHECK(result.records[4].flags == 1024);
  CHECK(result.records[6].number == 7);
  CHECK(result.records[6].sequence.empty());
}

TEST_CASE("SAM in any compression, CRLF, blank last lines, no last line end, no header") {
  const TmpDir dir;
  const std::string sam = sam_header() + kBody;
  CHECK(to_text(read_all(dir.write("in", test::to_gzip(sam)))) == kWant);
  CHECK(to_text(read_all(dir.write("in", test::to_bgzf(sam)))) == kWant);
  CHECK(to_text(read_all(dir.write("in", test::to_zstd(sam)))) == kWant);
  CHECK(to_text(read_all(dir.write("in", sam.substr(0, sam.size() - 1)))) == kWant);
  CHECK(to_text(read_all(dir.write("in", sam + "\n\n"))) == kWant);
  std::string crlf;
  for (char c : sam)
    crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(to_text(read_all(dir.write("in", crlf))) == kWant);
  CHECK(to_text(read_all(dir.write("in", unmapped("u", 4, "ACGT")))) == "u  ACGT");
  CHECK(read_all(dir.write("in", sam_header())).records.empty());
}

TEST_CASE("BAM gives what its SAM gives, unpaired and odd pair flags name no mate") {
  const TmpDir dir;
  write_alignments(sam_header() + kBody, "bam", dir.file("in.bam"));
  for (const int threads : {0, 2}) {
    OpenOptions options;
    options.decompression_threads = threads;
    const auto result = read_all(dir.file("in.bam"), options);
    CHECK(result.format == "BAM");
    CHECK(to_text(result) == kWant);
  }
  const std::string odd =
      unmapped("a", 4 + 64, "A") + unmapped("b", 5, "C") + unmapped("c", 5 + 192, "G");
  write_alignments(sam_header() + odd, "bam", dir.file("in.bam"));
  CHECK(to_text(read_all(dir.file("in.bam"))) == "a  A|b  C|c  G");
  write_alignments(sam_header(), "bam", dir.file("in.bam"));
  CHECK(read_all(dir.file("in.bam")).records.empty());
  // What a name says is nothing: the content decides.
  write_alignments(sam_header() + kBody, "bam", dir.file("in.fq.gz"));
  CHECK(to_text(read_all(dir.file("in.fq.gz"))) == kWant);
}

TEST_CASE("SAM faults are named with record and line") {
  const TmpDir dir;
  const auto fault = [&](const std::string& text) {
    const std::string path = dir.write("in.sam", text);
    const std::string error = error_text([&] { read_all(path); });
    REQUIRE(contains(error, path + ": "));
    return error.substr(path.size() + 2);
  };
  const std::string good = unmapped("good", 4, "ACGT");
  CHECK(contains(
      fault(sam_header() + good + "cut\t4\t*\t0\t0\t*\t*\t0\t0\tACG"),
      "record 2 (cut), line 4: 10 of the 11 mandatory SAM fields: malformed or truncated"));
  CHECK(contains(fault(sam_header() + good + "q\t4\t*\t0\t0\t*\t*\t0\t0\tACG\tII\n"),
                 "record 2 (q), line 4: quality length 2, sequence length 3"));
  CHECK(
      contains(fault(matched("m", 0, 1)), "record 1 (m), line 1: the file has no @SQ header line"));
  CHECK(contains(fault(sam_header() + "x\tfour\t*\t0\t0\t*\t*\t0\t0\tA\tI\n"),
                 "record 1 (x), line 3"));
  CHECK(contains(fault(sam_header() + "n\t4\t*\t0\t0\t*\t*\t0\t0\tA\0C\tIII\n"s),
                 "record 1 (n), line 3: a NUL byte"));
  CHECK(contains(
      fault(sam_header() + "a\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI\rb\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI\r"),
      "a carriage return inside the line"));
  CHECK(contains(fault("@HD\tVN:1.6\n@SQ\tLN:5\n" + good), "malformed SAM header"));
}

TEST_CASE("a BAM cut at any byte is an error") {
  const TmpDir dir;
  write_alignments(sam_header() + kBody, "bam", dir.file("in.bam"));
  const std::string whole = test::read_file(dir.file("in.bam"));
  for (std::size_t n = 1; n < whole.size(); ++n) {
    const std::string path = dir.write("cut.bam", whole.substr(0, n));
    const std::string error = error_text([&] { read_all(path); });
    INFO("cut at " << n << " of " << whole.size() << ": " << error);
    CHECK(contains(error, path + ": "));
  }
}

TEST_CASE("a BAM whose inside is cut or spoilt, in whole BGZF blocks") {
  const TmpDir dir;
  write_alignments(sam_header() + kBody, "bam", dir.file("in.bam"));
  const std::string path = dir.file("cut.bam");
  // Cut inside, then compressed again: only the records tell.
  std::string data;
  {
    // The BAM's content, through the same library.
    const std::string compressed = test::read_file(dir.file("in.bam"));
    data = test::from_gzip(compressed);
  }
  std::size_t n_whole = 0;
  for (std::size_t n = 4; n < data.size(); ++n) {
    dir.write("cut.bam", test::to_bgzf(data.substr(0, n)));
    const std::string error = error_text([&] { read_all(path); });
    INFO("cut at " << n << " of " << data.size() << ": " << error);
    if (error == "no error") {
      ++n_whole;
    } else {
      CHECK((contains(error, "record ") || contains(error, "BAM header")));
    }
  }
  // The header's end and the end of each record but the last are no faults.
  CHECK(n_whole == 7);
  dir.write("cut.bam", test::to_bgzf(std::string("BAM\1\xff\xff\xff\x7f", 8)));
  CHECK(contains(error_text([&] { read_all(path); }), "BAM header"));
  CHECK(contains(error_text([&] { read_all(dir.write("in", test::to_zstd(data))); }),
                 "not supported"));
}

/// A CRAM of kBody in `dir`, made with its reference; returns its path.
std::string write_cram(const TmpDir& dir, const std::string& more_tags = {}) {
  const TmpDir reference_dir;
  const std::string reference = write_reference(reference_dir);
  const std::string path = dir.file("in.cram");
  write_alignments(sam_header(more_tags) + kBody, "cram", path, reference);
  return path;
}

TEST_CASE("CRAM with a reference, an index is made elsewhere if there is none") {
  const TmpDir dir;
  const std::string path = write_cram(dir);
  const TmpDir reference_dir;
  OpenOptions options;
  options.reference_path = write_reference(reference_dir);
  for (const int threads : {0, 2}) {
    options.decompression_threads = threads;
    const auto result = read_all(path, options);
    CHECK(result.format == "CRAM");
    CHECK(to_text(result) == kWant);
    CHECK(result.records[2].mate == Mate::kFirst);
    CHECK(result.records[4].flags == 1024);
    CHECK(reference_dir.entries() == std::vector<std::string>{"ref.fa"});
  }
  reference_dir.write("ref.fa.gz", test::to_bgzf(test::read_file(options.reference_path)));
  options.reference_path = reference_dir.file("ref.fa.gz");
  CHECK(to_text(read_all(path, options)) == kWant);
  CHECK(reference_dir.entries() == std::vector<std::string>{"ref.fa", "ref.fa.gz"});
  options.reference_path = reference_dir.write("ref.gz", test::to_gzip(">chr1\n" + kContig + "\n"));
  CHECK(contains(error_text([&] { read_all(path, options); }),
                 "ref.gz: is no FASTA that can be indexed"));
}

TEST_CASE("CRAM without its reference is an error that names the contig") {
  const TmpDir dir;
  const std::string path = write_cram(dir);
  const std::string missing = error_text([&] { read_all(path); });
  CHECK(contains(missing, path + ": record 1: "));
  CHECK(
      contains(missing, "the reference of chr1 (M5 " + test::md5_of(kContig) + ") was not found"));
  CHECK(contains(missing, "--reference"));

  OpenOptions options;
  options.reference_path = dir.file("nope.fa");
  CHECK(error_text([&] { read_all(path, options); }) ==
        dir.file("nope.fa") + ": cannot open: No such file or directory");
  options.reference_path = dir.write("other.fa", ">chr2\nACGT\n");
  CHECK(contains(error_text([&] { read_all(path, options); }), "the reference of chr1"));
  std::string changed = kContig;
  changed[3] = 'C';
  options.reference_path = dir.write("changed.fa", ">chr1\n" + changed + "\n");
  CHECK(contains(error_text([&] { read_all(path, options); }), "is not the reference"));
  options.reference_path = dir.write("short.fa", ">chr1\nACGT\n");
  CHECK(contains(error_text([&] { read_all(path, options); }), path + ": record 1: "));
  options.reference_path = dir.write("text.fa", "no FASTA\n");
  CHECK(contains(error_text([&] { read_all(path, options); }), "text.fa"));
  options.reference_path = "http://localhost:1/ref.fa";
  CHECK(contains(error_text([&] { read_all(path, options); }), "No such file or directory"));
}

/// Sets or removes an environment variable until the end of its life.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::string old_;
};

TEST_CASE("CRAM: references by M5 from REF_PATH and REF_CACHE") {
  const TmpDir dir;
  const std::string path = write_cram(dir);
  const TmpDir cache;
  const std::string md5 = test::md5_of(kContig);
  SECTION("REF_PATH, beside a URL") {
    cache.write(md5, kContig);
    const ScopedVariable ref_path("REF_PATH", "http://localhost:1/%s:" + cache.path() + "/%s");
    const ScopedVariable ref_cache("REF_CACHE", "");
    CHECK(to_text(read_all(path)) == kWant);
  }
  SECTION("REF_CACHE, in which nothing is written") {
    const ScopedVariable ref_path("REF_PATH", "/nowhere");
    const ScopedVariable ref_cache("REF_CACHE", cache.path() + "/%2s%s");
    CHECK(contains(error_text([&] { read_all(path); }), "the reference of chr1"));
    setenv("REF_CACHE", (cache.path() + "/%2s%s").c_str(), 1);
    cache.write(md5, kContig);
    CHECK(to_text(read_all(path)) == kWant);
    CHECK(cache.entries() == std::vector<std::string>{md5});
  }
}

TEST_CASE("the search path for references holds files only") {
  CHECK(local_search_path("", "", "/home/x/.cache") == "/home/x/.cache/hts-ref/%2s/%2s/%s");
  CHECK(local_search_path("", "", "") == "/dev/null");
  CHECK(local_search_path("/c/%s", "", "/h") == "/c/%s");
  CHECK(local_search_path("", "/a/%s:/b", "/h") == "/a/%s:/b");
  CHECK(local_search_path("/c/%s", "/a/%s:refs", "/h") == "/c/%s:/a/%s:refs");
  for (const char* url : {"http://h/%s", "https://h:80/%s", "ftp://h/%s", "URL=http://h/%s",
                          "http:://h::80/%s", "URL=https:://h/%s", "http:h"}) {
    CHECK(local_search_path("", url, "/h") == "/dev/null");
    CHECK(local_search_path(url, "", "/h") == "/dev/null");
    CHECK(local_search_path("", std::string("/a/%s:") + url + ":/b/%s", "/h") == "/a/%s:/b/%s");
  }
}

TEST_CASE("CRAM: a UR tag with a file is not followed, nothing is made beside the file") {
  const TmpDir dir;
  const std::string reference = write_reference(dir);
  const std::string path = dir.file("in.cram");
  write_alignments(sam_header() + kBody, "cram", path, reference);  // writes UR, and an index
  REQUIRE(unlink((reference + ".fai").c_str()) == 0);
  CHECK(contains(error_text([&] { read_all(path); }), "the reference of chr1"));
  CHECK(dir.entries() == std::vector<std::string>{"in.cram", "ref.fa"});
}

/// A port of this machine that listens; tells whether anybody tried to connect.
class Listener {
 public:
  Listener() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket_, generic, length) != 0 || listen(socket_, 1) != 0 ||
        getsockname(socket_, generic, &length) != 0) {
      throw std::runtime_error("no local port");
    }
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  }
  ~Listener() { close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const std::string& url() const { return url_; }
  bool was_called() const { return accept(socket_, nullptr, nullptr) >= 0; }

 private:
  int socket_;
  std::string url_;
};

TEST_CASE("CRAM: no URL is opened, from REF_PATH, REF_CACHE, a UR tag or --reference") {
  const TmpDir dir;
  const TmpDir cache;
  const std::string md5 = test::md5_of(kContig);
  cache.write(md5, kContig);
  const std::string path = dir.file("in.cram");
  const Listener listener;
  const ScopedVariable ref_cache("REF_CACHE", "");
  ScopedVariable ref_path("REF_PATH", cache.path() + "/%s");
  for (const std::string& location :
       {listener.url() + "ref.fa", "file:" + listener.url() + "ref.fa"}) {
    setenv("REF_PATH", (cache.path() + "/%s").c_str(), 1);
    write_alignments(sam_header("\tM5:" + md5 + "\tUR:" + location) + kBody, "cram", path);
    CHECK(to_text(read_all(path)) == kWant);
    for (const std::string& value :
         {std::string("/nowhere"), listener.url() + "%s", "URL=" + listener.url() + "%s"}) {
      setenv("REF_PATH", value.c_str(), 1);
      CHECK(contains(error_text([&] { read_all(path); }), "the reference of chr1"));
      setenv("REF_PATH", "", 1);
      setenv("REF_CACHE", value.c_str(), 1);
      CHECK(contains(error_text([&] { read_all(path); }), "the reference of chr1"));
    }
    OpenOptions options;
    options.reference_path = listener.url() + "ref.fa";
    CHECK(contains(error_text([&] { read_all(path, options); }), "No such file or directory"));
    CHECK_FALSE(listener.was_called());
  }
}

TEST_CASE("a CRAM cut at any byte is an error") {
  const TmpDir dir;
  const std::string path = write_cram(dir);
  const TmpDir reference_dir;
  OpenOptions options;
  options.reference_path = write_reference(reference_dir);
  const std::string length = std::to_string(kContig.size());
  reference_dir.write("ref.fa.fai", "chr1\t" + length + "\t6\t" + length + "\t" +
                                        std::to_string(kContig.size() + 1) + "\n");
  REQUIRE(to_text(read_all(path, options)) == kWant);
  const std::string whole = test::read_file(path);
  for (std::size_t n = 1; n < whole.size(); ++n) {
    const std::string cut_path = dir.write("cut.cram", whole.substr(0, n));
    const std::string error = error_text([&] { read_all(cut_path, options); });
    INFO("cut at " << n << " of " << whole.size() << ": " << error);
    CHECK(contains(error, cut_path + ": "));
  }
}

}  // namespace
}  // namespace genomamba::io
