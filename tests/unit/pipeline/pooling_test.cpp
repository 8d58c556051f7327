// SPDX-License-Identifier: MIT
#include "pooling.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"

using namespace genomamba;            // NOLINT(google-build-using-namespace)
using namespace genomamba::pipeline;  // NOLINT(google-build-using-namespace)

namespace {

const std::vector<float> kRows = {1, 8, 3, -2, 5, 6};  // 3 rows of 2

std::vector<float> pooled(Pool pool) {
  Pooling pooling(pool, 2);
  pooling.add(Span2d<const float>(kRows.data(), 3, 2));
  std::vector<float> out(2);
  pooling.result(out);
  return out;
}

}  // namespace

TEST_CASE("Each pool takes the rows it says") {
  CHECK(pooled(Pool::kMean) == std::vector<float>{3, 4});
  CHECK(pooled(Pool::kMax) == std::vector<float>{5, 8});
  CHECK(pooled(Pool::kFirst) == std::vector<float>{1, 8});
  CHECK(pooled(Pool::kLast) == std::vector<float>{5, 6});
}

TEST_CASE("The cut into chunks changes no bit of a mean") {
  std::vector<float> rows(1000);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = 0.1F * static_cast<float>(i % 37);
  Pooling whole(Pool::kMean, 1);
  whole.add(Span2d<const float>(rows.data(), 1000, 1));
  Pooling cut(Pool::kMean, 1);
  cut.add(Span2d<const float>(rows.data(), 7, 1));
  cut.add(Span2d<const float>(rows.data() + 7, 993, 1));
  std::vector<float> a(1);
  std::vector<float> b(1);
  whole.result(a);
  cut.result(b);
  CHECK(a[0] == b[0]);
}

TEST_CASE("No row gives NaN") {
  for (const Pool pool : {Pool::kMean, Pool::kMax, Pool::kFirst, Pool::kLast}) {
    std::vector<float> out(3);
    Pooling(pool, 3).result(out);
    for (const float value : out)
      CHECK(std::isnan(value));
  }
}

TEST_CASE("all_finite finds NaN and infinity at any place") {
  for (std::size_t n = 1; n < 11; ++n) {
    std::vector<float> values(n, 3e38F);
    CHECK(all_finite(values));
    for (std::size_t i = 0; i < n; ++i) {
      for (const float bad :
           {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
            -std::numeric_limits<float>::infinity()}) {
        auto copy = values;
        copy[i] = bad;
        CHECK_FALSE(all_finite(copy));
      }
    }
  }
}
