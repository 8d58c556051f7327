// SPDX-License-Identifier: MIT
#include "genomamba/pipeline/embed_pipeline.hpp"

#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "catch.hpp"
#include "genomamba/core/error.hpp"
#include "tmp_dir.hpp"

using namespace genomamba;            // NOLINT(google-build-using-namespace)
using namespace genomamba::pipeline;  // NOLINT(google-build-using-namespace)
using genomamba::test::TmpDir;

namespace {

/// Keeps what the pipeline writes.
class RecordingWriter final : public io::EmbeddingWriter {
 public:
  void write(const io::EmbeddingRow& row, std::span<const float> values) override {
    rows.push_back(row);
    vectors.emplace_back(values.begin(), values.end());
  }
  void append(std::span<const float> values) override {
    vectors.back().insert(vectors.back().end(), values.begin(), values.end());
  }
  void finish() override {}

  std::vector<io::EmbeddingRow> rows;
  std::vector<std::vector<float>> vectors;
};

const LoadedModel& tiny_model() {
  static const LoadedModel model =
      load_model(std::string(GENOMAMBA_SOURCE_DIR) + "/data/models/tiny-random", "");
  return model;
}

std::string random_sequence(std::size_t length, unsigned seed) {
  std::string sequence;
  for (std::size_t i = 0; i < length; ++i) {
    seed = seed * 1664525U + 1013904223U;
    sequence += "ACGT"[seed >> 30];
  }
  return sequence;
}

std::string sample_fasta() {
  std::string text;
  unsigned seed = 1;
  for (const std::size_t length : {5U, 0U, 300U, 1U, 77U, 2000U, 64U, 65U, 31U}) {
    text += ">r" + std::to_string(seed) + " note\n" + random_sequence(length, seed) + "\n";
    ++seed;
  }
  return text;
}

RecordingWriter embed(EmbedOptions options, EmbedCounts* counts = nullptr) {
  RecordingWriter writer;
  options = complete_options(options, tiny_model());
  const EmbedCounts result = embed_records(options, tiny_model(), writer, silent_log(), nullptr);
  if (counts != nullptr) *counts = result;
  return writer;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

TEST_CASE("One row a record, in order, a record without bases has a NaN vector and a status") {
  const TmpDir tmp;
  EmbedOptions options;
  options.inputs = {tmp.write("a.fa", sample_fasta())};
  EmbedCounts counts;
  const auto out = embed(options, &counts);
  REQUIRE(out.rows.size() == 9);
  CHECK(out.rows[0].id == "r1");
  CHECK(out.rows[0].comment == "note");
  CHECK(out.rows[1].status == "empty");
  CHECK(std::isnan(out.vectors[1][0]));
  CHECK(out.rows[5].length == 2000);
  CHECK(out.rows[5].n_tokens == 2000);
  CHECK(out.rows[5].n_windows == 1);
  CHECK(counts.n_in == 9);
  CHECK(counts.n_ok == 8);
  CHECK(counts.failed.at("empty") == 1);
  CHECK(counts.n_bases == 5 + 300 + 1 + 77 + 2000 + 64 + 65 + 31);
}

TEST_CASE("Threads, batches and the path of long records change no bit") {
  const TmpDir tmp;
  EmbedOptions options;
  options.inputs = {tmp.write("a.fa", sample_fasta())};
  for (const Strand strand : {Strand::kForward, Strand::kMean, Strand::kConcat}) {
    options.strand = strand;
    options.n_threads = 1;
    options.batch_tokens = 4096;
    const auto expected = embed(options);
    for (const std::size_t n_threads : {1U, 2U, 3U}) {
      for (const std::size_t batch_tokens : {1U, 7U, 64U, 1000U}) {
        options.n_threads = n_threads;
        options.batch_tokens = batch_tokens;
        const auto out = embed(options);
        REQUIRE(out.vectors.size() == expected.vectors.size());
        for (std::size_t i = 0; i < out.vectors.size(); ++i) {
          CHECK(out.rows[i].id == expected.rows[i].id);
          CHECK((same_bits(out.vectors[i], expected.vectors[i]) || out.rows[i].status == "empty"));
        }
      }
    }
  }
}

TEST_CASE("The mean of every token's vector is the pooled vector") {
  const TmpDir tmp;
  EmbedOptions options;
  options.inputs = {tmp.write("a.fa", ">a\n" + random_sequence(40, 3) + "\n")};
  for (const Strand strand : {Strand::kForward, Strand::kReverse}) {
    options.strand = strand;
    options.pool = Pool::kMean;
    const auto pooled = embed(options);
    options.pool = Pool::kNone;
    const auto every = embed(options);
    REQUIRE(every.rows[0].n_vectors == 40);
    for (std::size_t c = 0; c < 8; ++c) {
      double sum = 0;
      for (std::size_t t = 0; t < 40; ++t)
        sum += static_cast<double>(every.vectors[0][t * 8 + c]);
      CHECK(static_cast<double>(pooled.vectors[0][c]) == Approx(sum / 40).margin(1e-6));
    }
  }
}

TEST_CASE("The reverse strand is the reverse complement read forward, rows in forward order") {
  const TmpDir tmp;
  std::string sequence = random_sequence(50, 9);
  EmbedOptions options;
  options.pool = Pool::kNone;
  options.strand = Strand::kReverse;
  options.inputs = {tmp.write("a.fa", ">a\n" + sequence + "\n")};
  const auto reverse = embed(options);
  reverse_complement(sequence);
  options.strand = Strand::kForward;
  options.inputs = {tmp.write("b.fa", ">a\n" + sequence + "\n")};
  const auto forward = embed(options);
  for (std::size_t t = 0; t < 50; ++t) {
    for (std::size_t c = 0; c < 8; ++c) {
      CHECK(reverse.vectors[0][t * 8 + c] == forward.vectors[0][(49 - t) * 8 + c]);
    }
  }
}

TEST_CASE("Windows start afresh, a row a window equals the window embedded alone") {
  const TmpDir tmp;
  const std::string sequence = random_sequence(25, 4);
  EmbedOptions options;
  options.inputs = {tmp.write("a.fa", ">a\n" + sequence + "\n")};
  options.window = 10;
  options.rows = RowsPer::kWindow;
  for (const Strand strand : {Strand::kForward, Strand::kReverse}) {
    options.strand = strand;
    const auto windows = embed(options);
    REQUIRE(windows.rows.size() == 3);
    CHECK(windows.rows[2].start == 15);
    CHECK(windows.rows[2].end == 25);
    for (std::size_t w = 0; w < 3; ++w) {
      EmbedOptions alone;
      alone.strand = strand;
      alone.inputs = {
          tmp.write("w.fa", ">w\n" + sequence.substr(windows.rows[w].start, 10) + "\n")};
      CHECK(same_bits(embed(alone).vectors[0], windows.vectors[w]));
    }
  }
}

TEST_CASE("A pair is one row over both mates") {
  const TmpDir tmp;
  EmbedOptions options;
  options.inputs = {tmp.write("1.fa", ">a/1\nACGTAC\n"), tmp.write("2.fa", ">a/2\nGGT\n")};
  options.pairing = Pairing::kTwoFiles;
  const auto pair = embed(options);
  options.pairing = Pairing::kSingle;
  const auto single = embed(options);
  REQUIRE(pair.rows.size() == 1);
  CHECK(pair.rows[0].id == "a");
  CHECK(pair.rows[0].length == 9);
  for (std::size_t c = 0; c < 8; ++c) {
    const float mean = (6 * single.vectors[0][c] + 3 * single.vectors[1][c]) / 9;
    CHECK(pair.vectors[0][c] == Approx(mean).margin(1e-6));
  }
}

TEST_CASE("A bad letter names file, record and base") {
  const TmpDir tmp;
  EmbedOptions options;
  options.inputs = {tmp.write("a.fa", ">good\nACGT\n>bad one\nAC-T\n")};
  try {
    embed(options);
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          options.inputs[0] + ": record 2 (bad): '-' at base 3 is not a nucleotide letter");
  }
}

TEST_CASE("Options that do not fit are usage errors") {
  const TmpDir tmp;
  EmbedOptions options;
  options.inputs = {tmp.write("a.fa", ">a\nACGT\n")};
  SECTION("layer") {
    options.layer = 2;
  }
  SECTION("overlap without window") {
    options.overlap = 1;
  }
  SECTION("overlap as large as the window") {
    options.window = 5;
    options.overlap = 5;
  }
  SECTION("a row a window of every token") {
    options.rows = RowsPer::kWindow;
    options.pool = Pool::kNone;
  }
  SECTION("no input") {
    options.inputs.clear();
  }
  SECTION("one file of two") {
    options.pairing = Pairing::kTwoFiles;
  }
  SECTION("stdin twice") {
    options.inputs = {"-", "-"};
  }
  SECTION("too little memory") {
    options.memory_bytes = std::size_t{1} << 20;
  }
  CHECK_THROWS_AS(complete_options(options, tiny_model()), UsageError);
}
