// SPDX-License-Identifier: MIT
// Score writers: positions past 2^28, gaps, zoom levels and totals of a bigWig, indexes of BGZF
// texts.
#include "genomamba/io/score_writer.hpp"

#include <bigWig.h>
#include <htslib/tbx.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_text.hpp"
#include "number_text.hpp"
#include "tmp_dir.hpp"

using genomamba::io::Contig;
using genomamba::io::FixedDecimals;
using genomamba::io::make_bedgraph;
using genomamba::io::make_bigwig;
using genomamba::io::make_score_tsv;
using genomamba::io::parse_fixed;
using genomamba::io::ScoreWriterOptions;
using genomamba::test::error_text;
using genomamba::test::read_file;
using genomamba::test::TmpDir;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

ScoreWriterOptions options_for(const std::string& path, const std::vector<Contig>& contigs) {
  return {.path = path,
          .columns = {"logp"},
          .contigs = &contigs,
          .precision = 4,
          .provenance = {},
          .log = nullptr};
}

/// Rows of `region` by the index of a BGZF text.
std::vector<std::string> query(const std::string& path, const std::string& region) {
  const std::unique_ptr<htsFile, int (*)(htsFile*)> file(hts_open(path.c_str(), "r"), hts_close);
  const std::unique_ptr<tbx_t, void (*)(tbx_t*)> index(tbx_index_load(path.c_str()), tbx_destroy);
  REQUIRE(index != nullptr);
  const std::unique_ptr<hts_itr_t, void (*)(hts_itr_t*)> rows(
      tbx_itr_querys(index.get(), region.c_str()), hts_itr_destroy);
  REQUIRE(rows != nullptr);
  std::vector<std::string> lines;
  kstring_t line = {0, 0, nullptr};
  while (tbx_itr_next(file.get(), index.get(), rows.get(), &line) >= 0)
    lines.emplace_back(line.s);
  std::free(line.s);
  return lines;
}

struct BigWigCloser {
  void operator()(bigWigFile_t* file) const { bwClose(file); }
};

}  // namespace

TEST_CASE("FixedDecimals: rounded half away, never -0, read back exactly") {
  const FixedDecimals decimals(4);
  const auto text = [&](float value) {
    std::string s;
    decimals.append(s, value);
    return s;
  };
  CHECK(text(-1.5F) == "-1.5000");
  CHECK(text(0.00001F) == "0.0000");
  CHECK(text(-0.00001F) == "0.0000");
  CHECK(text(-12.34567F) == "-12.3457");
  CHECK(text(kNaN) == ".");
  for (float value = -20; value < 1; value += 0.0173F) {
    CHECK(static_cast<float>(*parse_fixed(text(value))) == decimals.rounded(value));
  }
  CHECK_FALSE(parse_fixed("."));
  CHECK_FALSE(parse_fixed("nan"));
  CHECK_FALSE(parse_fixed(""));
}

TEST_CASE("Texts: the index finds positions past 2^28 and past 2^29, a .csi where a .tbi cannot") {
  const TmpDir tmp;
  for (const std::uint64_t place : {std::uint64_t{300'000'000}, std::uint64_t{3'000'000'000}}) {
    const std::vector<Contig> contigs = {{"a", 1000}, {"big", place + 100}};
    const std::string path = tmp.file("t.bedgraph.gz");
    const auto track = make_bedgraph(options_for(path, contigs));
    std::vector<float> values(20000, -1);
    track->write(1, 0, values);
    track->write(1, place, std::vector<float>{-0.5F, kNaN, -2});
    track->finish_writing();
    track->commit();
    const std::string at = "big:" + std::to_string(place + 1) + "-" + std::to_string(place + 3);
    CHECK(query(path, at) == std::vector<std::string>{"big\t" + std::to_string(place) + "\t" +
                                                          std::to_string(place + 1) + "\t-0.5000",
                                                      "big\t" + std::to_string(place + 2) + "\t" +
                                                          std::to_string(place + 3) + "\t-2.0000"});
    CHECK(query(path, "big:19999-20010").size() == 2);
    const auto entries = tmp.entries();
    const bool has_csi =
        std::find(entries.begin(), entries.end(), "t.bedgraph.gz.csi") != entries.end();
    CHECK(has_csi == (place > (std::uint64_t{1} << 29)));
    CHECK(entries.size() == 2);
  }
}

TEST_CASE("TSV: rows that are not sorted get no index, and an old one is removed") {
  const TmpDir tmp;
  const std::vector<Contig> contigs = {{"a", 1000}};
  tmp.write("t.tsv.gz.tbi", "old");
  const auto table = make_score_tsv(options_for(tmp.file("t.tsv.gz"), contigs));
  for (const std::uint64_t begin : {std::uint64_t{50}, std::uint64_t{20}}) {
    table->begin_region({0, begin, begin + 1, "r", '.', true});
    table->write(begin, "A", std::vector<float>{-1});
  }
  table->finish_writing();
  table->commit();
  CHECK(tmp.entries() == std::vector<std::string>{"t.tsv.gz"});
}

TEST_CASE("bigWig: values, gaps, negative maximum, zoom levels and sums") {
  const TmpDir tmp;
  const std::vector<Contig> contigs = {{"a", 100000}, {"none", 5}, {"b", 400'000'000}};
  const std::string path = tmp.file("t.bw");
  const auto track = make_bigwig(options_for(path, contigs));
  std::vector<float> values(50000);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = -static_cast<float>(i % 97) / 16 - 0.25F;
    sum += static_cast<double>(values[i]);
  }
  values[10] = kNaN;
  sum -= -10.0 / 16 - 0.25;
  track->write(0, 1000, std::span(values).first(20001));
  track->write(0, 21001, std::span(values).subspan(20001));
  track->write(2, 300'000'000, std::vector<float>{-7, -8});
  sum -= 15;
  track->finish_writing();
  CHECK(tmp.entries().size() == 1);
  CHECK(tmp.entries()[0] != "t.bw");
  track->commit();
  CHECK(tmp.entries() == std::vector<std::string>{"t.bw"});

  const std::unique_ptr<bigWigFile_t, BigWigCloser> file(bwOpen(path.c_str(), nullptr, "r"));
  REQUIRE(file);
  CHECK(file->hdr->nBasesCovered == 50001);
  CHECK(file->hdr->maxVal == -0.25);
  CHECK(file->hdr->minVal == -8);
  CHECK(file->hdr->sumData == Approx(sum));
  CHECK(file->hdr->nLevels > 2);
  bwOverlappingIntervals_t* const read = bwGetValues(file.get(), "a", 900, 60000, 1);
  REQUIRE(read != nullptr);
  for (std::uint32_t i = 0; i < read->l; ++i) {
    const std::uint32_t position = 900 + i;
    const bool is_inside = position >= 1000 && position < 51000 && position != 1010;
    if (is_inside != !std::isnan(read->value[i])) FAIL("gap at " << position);
    if (is_inside && read->value[i] != values[position - 1000]) FAIL("value at " << position);
  }
  bwDestroyOverlappingIntervals(read);
  bwOverlappingIntervals_t* const far = bwGetValues(file.get(), "b", 299'999'999, 300'000'003, 0);
  REQUIRE(far->l == 2);
  CHECK(far->start[0] == 300'000'000);
  CHECK(far->value[1] == -8);
  bwDestroyOverlappingIntervals(far);
  // A query of few wide bins is answered from a zoom level; bins are whole multiples of it.
  double* const means = bwStats(file.get(), "a", 2048, 2048 + 40960, 2, mean);
  double* const full = bwStatsFromFull(file.get(), "a", 2048, 2048 + 40960, 2, mean);
  CHECK(means[0] == Approx(full[0]).epsilon(0.01));
  CHECK(means[1] == Approx(full[1]).epsilon(0.01));
  std::free(means);
  std::free(full);
}

TEST_CASE(
    "bigWig: an empty one is valid, a contig of 2^32 bases and a missing folder are refused") {
  const TmpDir tmp;
  const std::vector<Contig> contigs = {{"a", 10}};
  const auto track = make_bigwig(options_for(tmp.file("t.bw"), contigs));
  track->finish_writing();
  track->commit();
  const std::unique_ptr<bigWigFile_t, BigWigCloser> file(
      bwOpen(tmp.file("t.bw").c_str(), nullptr, "r"));
  REQUIRE(file);
  CHECK(file->hdr->nBasesCovered == 0);
  CHECK(file->cl->nKeys == 1);
  const std::vector<Contig> huge = {{"a", std::uint64_t{1} << 32}};
  CHECK(error_text([&] { make_bigwig(options_for(tmp.file("h.bw"), huge)); }).find("32-bit") !=
        std::string::npos);
  CHECK(error_text([&] {
          make_bigwig(options_for(tmp.file("no/h.bw"), contigs));
        }).find("cannot open") != std::string::npos);
  CHECK(tmp.entries() == std::vector<std::string>{"t.bw"});
}
