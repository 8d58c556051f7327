// SPDX-License-Identifier: MIT
// sample_rows: some of many rows, by chance, but the same ones in every run. Private to report.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace genomamba::report {

/// `n` of `rows`, each as likely as any other (Knuth, The Art of Computer Programming 2, 3.4.2,
/// algorithm S), in their order; all of them if there are no more.
std::vector<std::size_t> sample_rows(std::span<const std::size_t> rows, std::size_t n);

/// An order of 0 ... n-1 by chance, the same in every run.
std::vector<std::size_t> shuffled_order(std::size_t n);

}  // namespace genomamba::report
