// SPDX-License-Identifier: MIT
#include "neighbor_purity.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cassert>
#include <limits>

namespace genomamba::report {
namespace {

using Eigen::Index;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Centred: distances between like vectors far from the origin keep their digits.
Rows centred_rows(const MatrixSource& source, std::span<const std::size_t> rows) {
  Rows points(static_cast<Index>(rows.size()), static_cast<Index>(source.cols));
  Index i = 0;
  for_rows(source, rows, [&](std::size_t, std::span<const float> row) {
    points.row(i++) =
        Eigen::Map<const Eigen::RowVectorXf>(row.data(), points.cols()).cast<double>();
  });
  points.rowwise() -= points.colwise().mean().eval();
  return points;
}

/// The number of each point's nearest other point.
std::vector<std::size_t> nearest_of(const Rows& points) {
  constexpr Index kBlock = 256;
  const Eigen::VectorXd squares = points.rowwise().squaredNorm();
  std::vector<std::size_t> nearest;
  for (Index begin = 0; begin < points.rows(); begin += kBlock) {
    const Index n = std::min(kBlock, points.rows() - begin);
    // |a - b|^2 - |a|^2 = |b|^2 - 2 a b: |a|^2 does not change the order.
    Eigen::MatrixXd distance = -2 * (points * points.middleRows(begin, n).transpose());
    distance.colwise() += squares;
    for (Index i = 0; i < n; ++i) {
      distance(begin + i, i) = std::numeric_limits<double>::infinity();
      Index best = 0;
      distance.col(i).minCoeff(&best);
      nearest.push_back(static_cast<std::size_t>(best));
    }
  }
  return nearest;
}

}  // namespace

NeighborPurity neighbor_purity(const MatrixSource& source, std::span<const std::size_t> rows,
                               std::span<const std::size_t> labels, std::size_t n_labels) {
  assert(rows.size() >= 2 && labels.size() == rows.size());
  const std::vector<std::size_t> nearest = nearest_of(centred_rows(source, rows));
  std::vector<double> n_of(n_labels, 0);
  std::vector<double> n_same(n_labels, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ++n_of[labels[i]];
    if (labels[nearest[i]] == labels[i]) ++n_same[labels[i]];
  }
  NeighborPurity result;
  result.n_rows = rows.size();
  const auto n = static_cast<double>(rows.size());
  for (std::size_t label = 0; label < n_labels; ++label) {
    result.purity += n_same[label] / n;
    if (n_of[label] > 0) result.by_chance += n_of[label] / n * (n_of[label] - 1) / (n - 1);
    result.of_label.push_back(n_of[label] > 0 ? n_same[label] / n_of[label]
                                              : std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

}  // namespace genomamba::report
