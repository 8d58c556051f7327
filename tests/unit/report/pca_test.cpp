// SPDX-License-Identifier: MIT
// Principal components: those of numpy, whichever way they are found.
#include "pca.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "catch.hpp"
#include "row_sample.hpp"

using namespace genomamba::report;

namespace {

#include "pca_golden.inc"

/// As make_pca_golden.py makes it.
std::vector<float> golden_matrix(std::size_t rows, std::size_t cols) {
  std::uint32_t state = 12345;
  std::vector<float> values;
  for (std::size_t i = 0; i < rows * cols; ++i) {
    state = state * 1664525U + 1013904223U;
    const auto unit = static_cast<float>(static_cast<double>(state >> 8) / 8388608.0 - 1.0);
    values.push_back(unit / static_cast<float>(1 + i % cols) + 10.0F);
  }
  return values;
}

MatrixSource source_of(const std::vector<float>& values, std::size_t cols) {
  return {values.size() / cols, cols,
          [&values, cols](std::size_t begin, std::size_t n, std::span<float> out) {
            std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(begin * cols), n * cols,
                        out.begin());
          }};
}

std::vector<std::size_t> all_rows(std::size_t n) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

void check_golden(std::size_t rows, std::size_t cols, std::span<const double> variance,
                  double total, std::span<const double> scores) {
  const auto values = golden_matrix(rows, cols);
  const auto source = source_of(values, cols);
  const std::size_t n = variance.size();
  const Pca pca = fit_pca(source, all_rows(rows), n);
  REQUIRE(pca.n_components() == n);
  CHECK(pca.total_variance == Approx(total).epsilon(1e-6));
  for (std::size_t k = 0; k < n; ++k) {
    CHECK(pca.explained_variance[k] == Approx(variance[k]).epsilon(1e-6));
    CHECK(pca.explained_ratio(k) == Approx(variance[k] / total).epsilon(1e-6));
    const double sign = pca.project({values.data(), cols}, k) * scores[k] < 0 ? -1 : 1;
    for (std::size_t i = 0; i < scores.size() / n; ++i) {
      INFO("component " << k << " row " << i);
      const double score = pca.project({values.data() + i * cols, cols}, k);
      CHECK(std::abs(sign * score - scores[i * n + k]) < 1e-4);
    }
  }
}

}  // namespace

TEST_CASE("Components of a tall matrix are numpy's up to sign") {
  check_golden(200, 12, kTallVariance, kTallTotal, kTallScores);
}

TEST_CASE("Components of a wide matrix, found from the Gram matrix, are numpy's up to sign") {
  check_golden(9, 30, kWideVariance, kWideTotal, kWideScores);
}

TEST_CASE(
    "Components have length 1, stand upright on one another, their largest loading positive") {
  const auto values = golden_matrix(300, 7);
  const Pca pca = fit_pca(source_of(values, 7), all_rows(300), 10);
  REQUIRE(pca.n_components() == 7);
  double sum = 0;
  for (std::size_t a = 0; a < 7; ++a) {
    sum += pca.explained_ratio(a);
    double largest = 0;
    for (std::size_t b = 0; b < 7; ++b) {
      double product = 0;
      for (std::size_t i = 0; i < 7; ++i)
        product += pca.components[a * 7 + i] * pca.components[b * 7 + i];
      CHECK(std::abs(product - (a == b ? 1 : 0)) < 1e-9);
      const double loading = pca.components[a * 7 + b];
      if (std::abs(loading) > std::abs(largest)) largest = loading;
    }
    CHECK(largest > 0);
  }
  CHECK(sum == Approx(1));
}

TEST_CASE("Rows that are all the same have no variance and no ratio that is not a number") {
  const std::vector<float> values(40, 2.5F);
  const Pca pca = fit_pca(source_of(values, 4), all_rows(10), 2);
  CHECK(pca.total_variance == 0);
  CHECK(pca.explained_ratio(0) == 0);
  CHECK(pca.project({values.data(), 4}, 0) == 0);
}

TEST_CASE("Only the rows named are fitted") {
  auto values = golden_matrix(50, 5);
  const std::vector<std::size_t> rows = {0, 3, 4, 7, 20, 21, 22, 40};
  const Pca before = fit_pca(source_of(values, 5), rows, 2);
  values[1 * 5 + 2] = NAN;
  values[49 * 5] = 1e9F;
  const Pca after = fit_pca(source_of(values, 5), rows, 2);
  CHECK(after.explained_variance == before.explained_variance);
}

TEST_CASE("A sample is in order, without doubles, the same every time, and even") {
  const auto rows = all_rows(10000);
  const auto sample = sample_rows(rows, 1000);
  REQUIRE(sample.size() == 1000);
  CHECK(std::adjacent_find(sample.begin(), sample.end(), std::greater_equal<>()) == sample.end());
  CHECK(sample_rows(rows, 1000) == sample);
  const auto n_even =
      std::count_if(sample.begin(), sample.end(), [](auto i) { return i % 2 == 0; });
  CHECK(n_even > 420);
  CHECK(n_even < 580);
  CHECK(sample_rows(rows, 20000) == rows);
  auto order = shuffled_order(100);
  CHECK(order != all_rows(100));
  std::sort(order.begin(), order.end());
  CHECK(order == all_rows(100));
}

TEST_CASE("All rows are fitted up to 50,000, more only where it is cheap") {
  CHECK(n_fit_rows(50000, 4096) == 50000);
  CHECK(n_fit_rows(100000, 128) == 100000);
  CHECK(n_fit_rows(100000, 2048) == 50000);
}
