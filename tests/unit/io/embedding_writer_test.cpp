// SPDX-License-Identifier: MIT
// Embeddings as files: the .npy byte by byte, the row table, TSV.
#include "genomamba/io/embedding_writer.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_text.hpp"
#include "make_files.hpp"
#include "npy_writer.hpp"
#include "tmp_dir.hpp"

namespace genomamba::io {
namespace {

using test::contains;
using test::error_text;
using test::from_gzip;
using test::read_file;
using test::TmpDir;
using Names = std::vector<std::string>;

const std::string kColumns =
    "#row\tid\tcomment\tstart\tend\tlength\tn_tokens\tn_windows\tstrand\tstatus";

EmbeddingRow make_row(const std::string& id, std::uint64_t length) {
  EmbeddingRow row;
  row.id = id;
  row.end = length;
  row.length = length;
  row.n_tokens = length;
  row.n_windows = 1;
  row.strand = "forward";
  return row;
}

EmbeddingWriterOptions make_options(const std::string& path, EmbeddingFormat format) {
  EmbeddingWriterOptions options;
  options.path = path;
  options.format = format;
  return options;
}

template <typename T>
std::vector<T> values_of(const std::string& npy) {
  std::vector<T> values((npy.size() - kNpyHeaderBytes) / sizeof(T));
  std::memcpy(values.data(), npy.data() + kNpyHeaderBytes, values.size() * sizeof(T));
  return values;
}

TEST_CASE("the .npy header, byte by byte") {
  const auto header = make_npy_header(FloatType::kF32, 3, 256);
  std::string want("\x93NUMPY\x01\x00\x76\x00", 10);
  want += "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 256), }";
  want.resize(127, ' ');
  want += '\n';
  CHECK(std::string(header.data(), header.size()) == want);
  CHECK(header.size() % 64 == 0);
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const auto longest = make_npy_header(FloatType::kF16, most, most);
  const std::string text(longest.data(), longest.size());
  CHECK(contains(text, "'descr': '<f2'"));
  CHECK(contains(text, "(18446744073709551615, 18446744073709551615), }"));
  CHECK(text.back() == '\n');
}

TEST_CASE("npy: matrix and row table appear together, by finish()") {
  const TmpDir dir;
  auto options = make_options(dir.file("out.npy"), EmbeddingFormat::kNpy);
  options.provenance = {"genomamba=0.1.0", "model=tiny sha256:00"};
  const auto writer = make_embedding_writer(options, 2);
  EmbeddingRow row = make_row("read1", 7);
  row.comment = "two words";
  writer->write(row, std::vector<float>{1.5f, -2.0f});
  row = make_row("read2", 0);
  row.n_windows = 0;
  row.status = "empty";
  const float nan = std::numeric_limits<float>::quiet_NaN();
  writer->write(row, std::vector<float>{nan, nan});
  CHECK_FALSE(contains(dir.entries().at(0), "out"));
  writer->finish();
  CHECK(dir.entries() == Names{"out.npy", "out.rows.tsv.gz"});

  const std::string npy = read_file(dir.file("out.npy"));
  CHECK(npy.size() == kNpyHeaderBytes + 4 * sizeof(float));
  CHECK(contains(npy, "'shape': (2, 2), }"));
  const auto values = values_of<float>(npy);
  CHECK(values[0] == 1.5f);
  CHECK(values[1] == -2.0f);
  CHECK(std::isnan(values[2]));
  CHECK(from_gzip(read_file(dir.file("out.rows.tsv.gz"))) ==
        "##genomamba=0.1.0\n##model=tiny sha256:00\n" + kColumns +
            "\n0\tread1\ttwo words\t0\t7\t7\t7\t1\tforward\tok\n"
            "1\tread2\t\t0\t0\t0\t0\t0\tforward\tempty\n");
}

TEST_CASE("npy: float16") {
  const TmpDir dir;
  auto options = make_options(dir.file("h.npy"), EmbeddingFormat::kNpy);
  options.dtype = FloatType::kF16;
  auto writer = make_embedding_writer(options, 3);
  writer->write(make_row("a", 1), std::vector<float>{1.0f, 0.1f, -65504.0f});
  writer->finish();
  const std::string npy = read_file(dir.file("h.npy"));
  CHECK(contains(npy, "'descr': '<f2', 'fortran_order': False, 'shape': (1, 3), }"));
  CHECK(values_of<std::uint16_t>(npy) == std::vector<std::uint16_t>{0x3c00, 0x2e66, 0xfbff});
  writer = make_embedding_writer(options, 1);
  CHECK(error_text([&] { writer->write(make_row("b", 1), std::vector<float>{70000.0f}); }) ==
        options.path + ": record b: the value 70000 does not fit float16; use --dtype f32");
}

TEST_CASE("no row at all: valid outputs") {
  const TmpDir dir;
  make_embedding_writer(make_options(dir.file("e.npy"), EmbeddingFormat::kNpy), 8)->finish();
  const std::string npy = read_file(dir.file("e.npy"));
  CHECK(npy.size() == kNpyHeaderBytes);
  CHECK(contains(npy, "'shape': (0, 8), }"));
  CHECK(from_gzip(read_file(dir.file("e.rows.tsv.gz"))) == kColumns + "\n");
  make_embedding_writer(make_options(dir.file("e.tsv"), EmbeddingFormat::kTsv), 2)->finish();
  CHECK(read_file(dir.file("e.tsv")) == kColumns + "\te0\te1\n");
}

TEST_CASE("TSV: shortest numbers that read back the same, nan without a sign") {
  const TmpDir dir;
  const auto options = make_options(dir.file("x.tsv"), EmbeddingFormat::kTsv);
  const auto writer = make_embedding_writer(options, 5);
  writer->write(make_row("a", 4), std::vector<float>{0.1f, -1.0f, 1e-7f, 16777216.0f, 0.0f});
  EmbeddingRow row = make_row("b", 0);
  row.status = "empty";
  writer->write(row, std::vector<float>(5, -std::numeric_limits<float>::quiet_NaN()));
  writer->finish();
  CHECK(read_file(dir.file("x.tsv")) ==
        kColumns +
            "\te0\te1\te2\te3\te4\n"
            "0\ta\t\t0\t4\t4\t4\t1\tforward\tok\t0.1\t-1\t1e-07\t16777216\t0\n"
            "1\tb\t\t0\t0\t0\t0\t1\tforward\tempty\tnan\tnan\tnan\tnan\tnan\n");
}

TEST_CASE("TSV: numbers survive text") {
  const TmpDir dir;
  const auto writer =
      make_embedding_writer(make_options(dir.file("x.tsv"), EmbeddingFormat::kTsv), 1);
  std::vector<float> values;
  unsigned state = 1;
  for (int i = 0; i < 2000; ++i) {
    state = state * 1664525u + 1013904223u;
    float value = 0;
    std::memcpy(&value, &state, sizeof value);
    if (!std::isfinite(value)) continue;
    values.push_back(value);
    writer->write(make_row("r", 1), std::span(&value, 1));
  }
  writer->finish();
  const std::string text = read_file(dir.file("x.tsv"));
  std::size_t at = text.find('\n') + 1;
  for (const float value : values) {
    const std::size_t end = text.find('\n', at);
    const std::size_t tab = text.rfind('\t', end);
    if (std::strtof(text.c_str() + tab + 1, nullptr) != value) FAIL(value);
    at = end + 1;
  }
}

TEST_CASE("pool none: one table row a record, offsets, TSV repeats the columns") {
  const TmpDir dir;
  for (const auto format : {EmbeddingFormat::kNpy, EmbeddingFormat::kTsv}) {
    auto options =
        make_options(dir.file(format == EmbeddingFormat::kNpy ? "t.npy" : "t.tsv"), format);
    options.has_offset_column = true;
    const auto writer = make_embedding_writer(options, 1);
    writer->write(make_row("a", 3), std::vector<float>{1, 2});
    writer->append(std::vector<float>{3});
    writer->append(std::vector<float>{});
    writer->write(make_row("none", 0), std::vector<float>{});
    writer->write(make_row("b", 1), std::vector<float>{4});
    writer->finish();
  }
  CHECK(values_of<float>(read_file(dir.file("t.npy"))) == std::vector<float>{1, 2, 3, 4});
  CHECK(contains(read_file(dir.file("t.npy")), "(4, 1)"));
  CHECK(from_gzip(read_file(dir.file("t.rows.tsv.gz"))) ==
        kColumns +
            "\toffset\n0\ta\t\t0\t3\t3\t3\t1\tforward\tok\t0\n"
            "1\tnone\t\t0\t0\t0\t0\t1\tforward\tok\t3\n"
            "2\tb\t\t0\t1\t1\t1\t1\tforward\tok\t3\n");
  CHECK(read_file(dir.file("t.tsv")) ==
        kColumns +
            "\toffset\te0\n0\ta\t\t0\t3\t3\t3\t1\tforward\tok\t0\t1\n"
            "0\ta\t\t0\t3\t3\t3\t1\tforward\tok\t1\t2\n"
            "0\ta\t\t0\t3\t3\t3\t1\tforward\tok\t2\t3\n"
            "2\tb\t\t0\t1\t1\t1\t1\tforward\tok\t3\t4\n");
}

TEST_CASE("names keep their bytes, what would break a line becomes a space") {
  const TmpDir dir;
  const auto writer =
      make_embedding_writer(make_options(dir.file("x.tsv"), EmbeddingFormat::kTsv), 1);
  EmbeddingRow row = make_row("mKO\xce\xba_1\xff\"'", 1);
  row.comment = "a\tb\nc\rd";
  writer->write(row, std::vector<float>{1});
  writer->finish();
  CHECK(contains(read_file(dir.file("x.tsv")), "\n0\tmKO\xce\xba_1\xff\"'\ta b c d\t0\t"));
}

TEST_CASE("a row marked ok never holds NaN or infinity") {
  const TmpDir dir;
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const auto format : {EmbeddingFormat::kNpy, EmbeddingFormat::kTsv}) {
      const auto writer = make_embedding_writer(make_options(dir.file("x.npy"), format), 2);
      CHECK(contains(error_text([&] {
                       writer->write(make_row("r9", 1), std::vector<float>{1, bad});
                     }),
                     "record r9: the vector holds "));
      writer->write(make_row("r9", 1), std::vector<float>{1, 1});
      CHECK_THROWS_AS(writer->append(std::vector<float>{bad, 1}), Error);
    }
  }
  CHECK(dir.entries().empty());
}

TEST_CASE("names of row tables, outputs that cannot be") {
  CHECK(row_table_path("x.npy") == "x.rows.tsv.gz");
  CHECK(row_table_path("a.b/x.y.npy") == "a.b/x.y.rows.tsv.gz");
  CHECK(row_table_path("x") == "x.rows.tsv.gz");
  const TmpDir dir;
  const auto attempt = [](const std::string& path, EmbeddingFormat format) {
    return error_text([&] { make_embedding_writer(make_options(path, format), 4); });
  };
  CHECK(contains(attempt("-", EmbeddingFormat::kNpy), "npy output cannot go to stdout"));
  CHECK(contains(attempt("/dev/null", EmbeddingFormat::kNpy), "npy output needs a regular file"));
  CHECK(
      contains(attempt(dir.file("no/x.npy"), EmbeddingFormat::kNpy), "No such file or directory"));
  CHECK(
      contains(attempt(dir.file("no/x.tsv"), EmbeddingFormat::kTsv), "No such file or directory"));
  CHECK(dir.entries().empty());
  CHECK_THROWS_AS(make_embedding_writer(make_options("-", EmbeddingFormat::kNpy), 4), UsageError);
}

}  // namespace
}  // namespace genomamba::io
