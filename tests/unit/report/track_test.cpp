// SPDX-License-Identifier: MIT
// Tracks: how values become regions, running means, dips.
#include "track.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "track_collector.hpp"
#include "track_figure.hpp"

using namespace genomamba::report;
using genomamba::io::NamedRegion;

namespace {

const float kNone = std::nanf("");

bool take(TrackCollector& collector, const std::string& contig, std::uint64_t begin, float value,
          const std::string& region = "", char letter = '\0') {
  return collector.take(contig, begin, begin + 1, region, letter, {&value, 1});
}

}  // namespace

TEST_CASE("A running mean takes the values there are") {
  const std::vector<float> values = {1, 2, kNone, 4, kNone, kNone, kNone};
  const auto means = running_mean(values, 3);
  CHECK(means[0] == 1.5);
  CHECK(means[1] == 1.5);
  CHECK(means[2] == 3);
  CHECK(means[3] == 4);
  CHECK(means[4] == 4);
  CHECK(std::isnan(means[5]));
  CHECK(running_mean({}, 3).empty());
}

TEST_CASE("Dips are stretches far below the median, the deepest first, in contig positions") {
  Track track;
  track.contig = "c";
  track.begin = 1000;
  for (int i = 0; i < 300; ++i)
    track.values.push_back(i % 2 == 0 ? -1.0F : -1.1F);
  for (int i = 50; i < 55; ++i)
    track.values[static_cast<std::size_t>(i)] = -5;
  track.values[200] = -9;
  const std::vector<double> means(track.values.begin(), track.values.end());
  const Dips dips = find_dips(track, means);
  REQUIRE(dips.dips.size() == 2);
  CHECK(dips.dips[0].begin == 1200);
  CHECK(dips.dips[0].end == 1201);
  CHECK(dips.dips[0].lowest == -9);
  CHECK(dips.dips[1].begin == 1050);
  CHECK(dips.dips[1].end == 1055);
  CHECK(dips.median == Approx(-1.1));
}

TEST_CASE("Where nothing varies, or nothing is known, there are no dips") {
  Track track;
  track.values = {1, 1, 1, 1};
  CHECK(find_dips(track, running_mean(track.values, 1)).dips.empty());
  track.values = {kNone, kNone};
  CHECK(find_dips(track, running_mean(track.values, 1)).dips.empty());
}

TEST_CASE("Rows without names are one region until a wide gap or another contig") {
  TrackCollector collector("f", {"logp"}, {});
  CHECK(take(collector, "a", 5, 1));
  CHECK(take(collector, "a", 8, 2));
  CHECK(take(collector, "a", 500, 3));
  CHECK(take(collector, "b", 0, 4));
  std::vector<std::string> remarks;
  const auto tracks = collector.finish(remarks);
  REQUIRE(tracks.size() == 3);
  CHECK(tracks[0].locus() == "a:6-9");
  CHECK(tracks[0].values[0] == 1);
  CHECK(std::isnan(tracks[0].values[1]));
  CHECK(tracks[1].locus() == "a:501-501");
  CHECK(tracks[2].contig == "b");
  CHECK(tracks[0].letters.empty());
  CHECK(remarks.empty());
}

TEST_CASE("Named rows follow their names, and letters come along") {
  TrackCollector collector("f", {"logp", "entropy"}, {});
  const float values[] = {1, 2};
  collector.take("a", 5, 6, "gene1", 'A', values);
  collector.take("a", 6, 7, "gene2", 'c', values);
  std::vector<std::string> remarks;
  const auto tracks = collector.finish(remarks);
  REQUIRE(tracks.size() == 4);
  CHECK(tracks[1].score == "entropy");
  CHECK(tracks[1].values[0] == 2);
  CHECK(tracks[3].region == "gene2");
  CHECK(tracks[3].letters == "c");
}

TEST_CASE("Chosen regions get what lies in them, and the rest is passed over") {
  TrackCollector collector(
      "f", {"logp"},
      {NamedRegion{"a", 3, 5}, NamedRegion{"b", 0, 9}, NamedRegion{"a", 4, NamedRegion::kOpenEnd}});
  for (std::uint64_t i = 0; i < 8; ++i)
    CHECK(take(collector, "a", i, static_cast<float>(i)));
  std::vector<std::string> remarks;
  const auto tracks = collector.finish(remarks);
  REQUIRE(tracks.size() == 2);
  CHECK(tracks[0].locus() == "a:4-5");
  CHECK(tracks[1].locus() == "a:5-8");
  CHECK(tracks[1].values == std::vector<float>{4, 5, 6, 7});
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].find("b") != std::string::npos);
}

TEST_CASE("Of more than eight regions the first are shown, and it is said") {
  TrackCollector collector("f", {"logp"}, {});
  for (std::uint64_t i = 0; i < 8; ++i)
    CHECK(take(collector, "a", i * 1000, 1));
  CHECK_FALSE(take(collector, "a", 8000, 1));
  std::vector<std::string> remarks;
  CHECK(collector.finish(remarks).size() == 8);
  REQUIRE(remarks.size() == 1);
}

TEST_CASE("An interval longer than what is shown is cut, and it is said") {
  TrackCollector collector("f", {"logp"}, {});
  const float value = 1;
  collector.take("a", 0, 4'000'000'000, "", '\0', {&value, 1});
  std::vector<std::string> remarks;
  const auto tracks = collector.finish(remarks);
  REQUIRE(tracks.size() == 1);
  CHECK(tracks[0].values.size() == 2'000'000);
  CHECK(remarks.size() == 1);
}

TEST_CASE("A long track is packed as means, so that it fits") {
  Track track;
  track.contig = "c";
  track.score = "logp";
  for (int i = 0; i < 10000; ++i)
    track.values.push_back(static_cast<float>(i % 7));
  track.letters.assign(10000, 'A');
  CHECK(packed_step(track, 40000) == 1);
  CHECK(packed_step(track, 30000) == 2);
  CHECK(packed_step(track, 4000) == 7);
  const std::vector<float> means = reduced(track.values, 7);
  CHECK(means.size() == 1429);
  CHECK(means[0] == 3);
  const auto running = running_mean(track.values, 101);
  const Dips dips;
  const Figure figure = track_figure(track, running, dips, 101);
  const std::string html = track_html(track, figure, "t", dips, 101, 4000);
  CHECK(html.find("data-step=\"7\"") != std::string::npos);
  CHECK(html.find("data-letters=\"\"") != std::string::npos);
}
