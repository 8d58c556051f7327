// SPDX-License-Identifier: MIT
#include "row_sample.hpp"

#include <numeric>
#include <random>
#include <utility>

#include "matrix_source.hpp"

namespace genomamba::report {
namespace {

constexpr std::uint64_t kSeed = 20240607;

/// std::uniform_int_distribution may differ between libraries; the bias of a remainder is below
/// n / 2^64.
std::size_t below(std::mt19937_64& engine, std::size_t n) {
  return static_cast<std::size_t>(engine() % n);
}

}  // namespace

std::vector<std::size_t> sample_rows(std::span<const std::size_t> rows, std::size_t n) {
  if (rows.size() <= n) return {rows.begin(), rows.end()};
  std::mt19937_64 engine(kSeed);
  std::vector<std::size_t> chosen;
  chosen.reserve(n);
  for (std::size_t i = 0; chosen.size() < n; ++i) {
    if (below(engine, rows.size() - i) < n - chosen.size()) chosen.push_back(rows[i]);
  }
  return chosen;
}

std::vector<std::size_t> shuffled_order(std::size_t n) {
  std::mt19937_64 engine(kSeed);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i)
    std::swap(order[i - 1], order[below(engine, i)]);
  return order;
}

void for_rows(const MatrixSource& source, std::span<const std::size_t> wanted,
              const std::function<void(std::size_t, std::span<const float>)>& take) {
  const std::size_t step = block_rows(source);
  std::vector<float> block;
  for (std::size_t i = 0; i < wanted.size();) {
    const std::size_t begin = wanted[i];
    std::size_t end = i;
    while (end < wanted.size() && wanted[end] < begin + step)
      ++end;
    const std::size_t n = wanted[end - 1] + 1 - begin;
    block.resize(n * source.cols);
    source.read(begin, n, block);
    for (; i < end; ++i)
      take(wanted[i], {block.data() + (wanted[i] - begin) * source.cols, source.cols});
  }
}

}  // namespace genomamba::report
