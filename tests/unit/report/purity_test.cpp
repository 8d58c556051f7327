// SPDX-License-Identifier: MIT
// Nearest-neighbour purity and the colours of a column.
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "coloring.hpp"
#include "neighbor_purity.hpp"

using namespace genomamba::report;

namespace {

NeighborPurity purity_of(const std::vector<float>& points, const std::vector<std::size_t>& labels) {
  std::vector<std::size_t> rows(points.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = i;
  const MatrixSource source{
      points.size(), 1, [&](std::size_t begin, std::size_t n, std::span<float> out) {
        std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(begin), n, out.begin());
      }};
  return neighbor_purity(source, rows, labels, 3);
}

}  // namespace

TEST_CASE("Purity is the share of points whose nearest other point has their label") {
  // Far from the origin: distances must keep their digits.
  const std::vector<float> points = {1000, 1001, 1003, 1010, 1011, 1013};
  const auto apart = purity_of(points, {0, 0, 0, 1, 1, 1});
  CHECK(apart.purity == Approx(1));
  CHECK(apart.by_chance == Approx(0.4));
  CHECK(apart.of_label[0] == Approx(1));
  CHECK(std::isnan(apart.of_label[2]));
  const auto mixed = purity_of(points, {0, 1, 1, 1, 0, 0});
  CHECK(mixed.purity == Approx(1.0 / 3));  // 1003 -> 1001 and 1013 -> 1011 alone
  CHECK(mixed.n_rows == 6);
}

TEST_CASE("Equal points are neighbours of one another, never of themselves") {
  const auto result = purity_of({5, 5, 5, 9}, {0, 1, 1, 1});
  // 0 -> 1 (other), 1 -> 0 (other), 2 -> 0 (other), 3 -> 0 (other)
  CHECK(result.purity == 0);
}

TEST_CASE("The most frequent values have a colour each, the others share one") {
  std::vector<std::string> values = {"b", "a", "a", ""};
  for (int i = 0; i < 10; ++i)
    values.push_back("x" + std::to_string(i));
  const Coloring coloring = color_values("label", values);
  CHECK_FALSE(coloring.is_numeric);
  REQUIRE(coloring.entries.size() == 9);
  CHECK(coloring.entries[0].text == "a (2)");
  CHECK(coloring.entries[1].text == "b (1)");
  CHECK(coloring.entries[2].text == "none (1)");
  CHECK(coloring.entries[8].text == "5 others (5)");
  CHECK(coloring.entry_of[0] == 1);
  CHECK(coloring.entry_of[1] == 0);
  CHECK(coloring.entry_of.back() == 8);
}

TEST_CASE("Many numbers are binned, by ratio where they span orders of magnitude") {
  std::vector<std::string> values;
  for (int i = 0; i <= 70; ++i)
    values.push_back(std::to_string(i + 100));
  values.push_back("");
  const Coloring linear = color_values("length", values);
  CHECK(linear.is_numeric);
  REQUIRE(linear.entries.size() == 8);
  CHECK(linear.entries[0].text == "100 to 110");
  CHECK(linear.entry_of[0] == 0);
  CHECK(linear.entry_of[10] == 1);
  CHECK(linear.entry_of[70] == 6);
  CHECK(linear.entry_of[71] == 7);
  CHECK(linear.entries[7].text == "none (1)");
  values.back() = "1000000";
  const Coloring wide = color_values("length", values);
  CHECK(wide.entry_of[0] == 0);
  CHECK(wide.entry_of[71] == 6);
  CHECK(wide.entries[1].text.starts_with("372"));  // 100 * 10^(4/7)
}
