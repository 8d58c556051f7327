// SPDX-License-Identifier: MIT
#include "genomamba/core/span2d.hpp"

#include <vector>

#include "catch.hpp"

using genomamba::Span2d;

TEST_CASE("Span2d blocks address the right elements") {
  std::vector<int> data(24);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<int>(i);
  const Span2d<int> matrix(data.data(), 4, 5, 6);
  CHECK(matrix.row(2)[3] == 15);
  CHECK(matrix.row_block(1, 2).row(1)[0] == 12);
  CHECK(matrix.col_block(2, 3).row(3)[1] == 21);
  const Span2d<const int> view = matrix;
  CHECK(view.stride() == 6);
}
