// SPDX-License-Identifier: MIT
#include "pca.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cassert>

namespace genomamba::report {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::Index;

Index to_index(std::size_t n) {
  return static_cast<Index>(n);
}

Eigen::VectorXd mean_of(const MatrixSource& source, std::span<const std::size_t> rows) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(to_index(source.cols));
  for_rows(source, rows, [&](std::size_t, std::span<const float> row) {
    sum += Eigen::Map<const Eigen::VectorXf>(row.data(), sum.size()).cast<double>();
  });
  return sum / static_cast<double>(rows.size());
}

/// Centred rows [n, cols], handed on by blocks of at most `step`.
template <typename Take>
void for_centred_blocks(const MatrixSource& source, std::span<const std::size_t> rows,
                        const Eigen::VectorXd& mean, std::size_t step, const Take& take) {
  RowMajor block(to_index(std::min(step, rows.size())), mean.size());
  for (std::size_t begin = 0; begin < rows.size(); begin += step) {
    const auto part = rows.subspan(begin, std::min(step, rows.size() - begin));
    Index i = 0;
    for_rows(source, part, [&](std::size_t, std::span<const float> row) {
      const Eigen::Map<const Eigen::VectorXf> values(row.data(), mean.size());
      block.row(i++) = (values.cast<double>() - mean).transpose();
    });
    take(block.topRows(i));
  }
}

/// Columns are components, the largest first; none without variance.
struct Components {
  Eigen::VectorXd variance;
  Eigen::MatrixXd axes;  ///< [cols, n]
};

Components from_covariance(const MatrixSource& source, std::span<const std::size_t> rows,
                           const Eigen::VectorXd& mean, Index n) {
  constexpr std::size_t kStep = 512;
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(mean.size(), mean.size());
  for_centred_blocks(source, rows, mean, kStep, [&](const auto& block) {
    covariance.selfadjointView<Eigen::Lower>().rankUpdate(block.transpose());
  });
  covariance /= static_cast<double>(rows.size() - 1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  return {solver.eigenvalues().reverse().head(n),
          solver.eigenvectors().rowwise().reverse().leftCols(n)};
}

/// X X^T has the same eigenvalues as X^T X, and X^T u is the component that belongs to u.
Components from_gram(const MatrixSource& source, std::span<const std::size_t> rows,
                     const Eigen::VectorXd& mean, Index n) {
  RowMajor centred(to_index(rows.size()), mean.size());
  for_centred_blocks(source, rows, mean, rows.size(), [&](const auto& block) { centred = block; });
  const Eigen::MatrixXd gram = centred * centred.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  Components found;
  found.variance = solver.eigenvalues().reverse().head(n) / static_cast<double>(rows.size() - 1);
  found.axes = centred.transpose() * solver.eigenvectors().rowwise().reverse().leftCols(n);
  for (Index k = 0; k < n; ++k) {
    const double length = found.axes.col(k).norm();
    if (length > 0) found.axes.col(k) /= length;
  }
  return found;
}

double total_variance_of(const MatrixSource& source, std::span<const std::size_t> rows,
                         const Eigen::VectorXd& mean) {
  double sum = 0;
  for_rows(source, rows, [&](std::size_t, std::span<const float> row) {
    const Eigen::Map<const Eigen::VectorXf> values(row.data(), mean.size());
    sum += (values.cast<double>() - mean).squaredNorm();
  });
  return sum / static_cast<double>(rows.size() - 1);
}

}  // namespace

double Pca::explained_ratio(std::size_t component) const {
  return total_variance > 0 ? explained_variance[component] / total_variance : 0;
}

double Pca::project(std::span<const float> row, std::size_t component) const {
  const double* const axis = components.data() + component * cols;
  double sum = 0;
  for (std::size_t i = 0; i < cols; ++i)
    sum += (static_cast<double>(row[i]) - mean[i]) * axis[i];
  return sum;
}

Pca fit_pca(const MatrixSource& source, std::span<const std::size_t> rows,
            std::size_t n_components) {
  assert(rows.size() >= 2);
  const Eigen::VectorXd mean = mean_of(source, rows);
  const Index n = to_index(std::min({n_components, source.cols, rows.size() - 1}));
  const bool is_wide = rows.size() < source.cols;
  Components found =
      is_wide ? from_gram(source, rows, mean, n) : from_covariance(source, rows, mean, n);
  Pca pca;
  pca.cols = source.cols;
  pca.mean.assign(mean.begin(), mean.end());
  pca.total_variance = total_variance_of(source, rows, mean);
  for (Index k = 0; k < n; ++k) {
    Index largest = 0;
    found.axes.col(k).cwiseAbs().maxCoeff(&largest);
    if (found.axes(largest, k) < 0) found.axes.col(k) *= -1;
    pca.explained_variance.push_back(std::max(found.variance(k), 0.0));
    pca.components.insert(pca.components.end(), found.axes.col(k).begin(), found.axes.col(k).end());
  }
  return pca;
}

std::size_t n_fit_rows(std::size_t n_rows, std::size_t cols) {
  constexpr std::size_t kAlways = 50000;
  constexpr double kMostProducts = 5e10;  // some seconds on one core
  const double products = static_cast<double>(n_rows) * static_cast<double>(cols * cols);
  return n_rows <= kAlways || products <= kMostProducts ? n_rows : kAlways;
}

}  // namespace genomamba::report
