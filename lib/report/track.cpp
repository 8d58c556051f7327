// SPDX-License-Identifier: MIT
#include "track.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace genomamba::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The lower middle one. Precondition: not empty.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::string Track::locus() const {
  return fmt::format("{}:{}-{}", contig, begin + 1, end());
}

std::vector<double> running_mean(std::span<const float> values, std::size_t window) {
  const std::size_t n = values.size();
  std::vector<double> sum(n + 1, 0);
  std::vector<std::size_t> count(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const bool has_value = !std::isnan(values[i]);
    sum[i + 1] = sum[i] + (has_value ? static_cast<double>(values[i]) : 0.0);
    count[i + 1] = count[i] + (has_value ? 1 : 0);
  }
  const std::size_t half = window / 2;
  std::vector<double> means(n, kNone);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t first = i > half ? i - half : 0;
    const std::size_t last = std::min(n, i + half + 1);
    if (count[last] == count[first]) continue;
    means[i] = (sum[last] - sum[first]) / static_cast<double>(count[last] - count[first]);
  }
  return means;
}

Dips find_dips(const Track& track, std::span<const double> means) {
  Dips result;
  std::vector<double> known;
  std::copy_if(means.begin(), means.end(), std::back_inserter(known),
               [](double mean) { return !std::isnan(mean); });
  if (known.empty()) return result;
  result.median = median_of(known);
  for (double& mean : known)
    mean = std::abs(mean - result.median);
  constexpr double kNormal = 1.4826;
  constexpr double kDeviations = 3;
  const double deviation = kNormal * median_of(known);
  result.threshold = result.median - kDeviations * deviation;
  if (deviation <= 0) return result;
  bool is_inside = false;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const std::uint64_t position = track.begin + i;
    const bool is_low = means[i] < result.threshold;  // false for NaN
    if (is_low && !is_inside) result.dips.push_back({position, position, position, means[i]});
    is_inside = is_low;
    if (!is_low) continue;
    Dip& dip = result.dips.back();
    dip.end = position + 1;
    if (means[i] < dip.lowest) {
      dip.lowest = means[i];
      dip.lowest_at = position;
    }
  }
  std::stable_sort(result.dips.begin(), result.dips.end(),
                   [](const Dip& a, const Dip& b) { return a.lowest < b.lowest; });
  return result;
}

std::vector<float> reduced(std::span<const float> values, std::size_t step) {
  if (step == 1) return {values.begin(), values.end()};
  std::vector<float> means;
  for (std::size_t begin = 0; begin < values.size(); begin += step) {
    double sum = 0;
    std::size_t n = 0;
    for (const float value : values.subspan(begin, std::min(step, values.size() - begin))) {
      if (std::isnan(value)) continue;
      sum += value;
      ++n;
    }
    means.push_back(n == 0 ? std::numeric_limits<float>::quiet_NaN()
                           : static_cast<float>(sum / static_cast<double>(n)));
  }
  return means;
}

}  // namespace genomamba::report
