// SPDX-License-Identifier: MIT
// Order-k Markov models of DNA on both strands, and an adaptive logistic mixture of orders 1 to 12.
// Sequences are bytes: 0..3 = A, C, G, T; anything else ends the context and is not scored.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

constexpr int kMaxOrder = 12;

// The code of the k bases before a position, kept while walking; `length` says how many of them are
// known.
struct Context {
  std::uint32_t code = 0;
  int length = 0;
  void push(std::uint8_t base) {
    if (base > 3) {
      length = 0;
      return;
    }
    code = (code << 2 | base) & ((1u << 2 * kMaxOrder) - 1);
    length = std::min(length + 1, kMaxOrder);
  }
  std::uint32_t last(int k) const { return code & ((1u << 2 * k) - 1); }
};

// Adds one count a base and order; counts[k] [4^k, 4].
void add(std::uint32_t* const* counts, int max_order, const Context& context, std::uint8_t base,
         std::uint32_t weight) {
  for (int k = 0; k <= std::min(max_order, context.length); ++k)
    counts[k][context.last(k) * 4 + base] += weight;
}

// The same for the other strand: there the complement of the oldest of the last k+1 bases follows
// the reverse complement of the newest k. `window` holds the last bases, the newest in the low
// bits; `known` says how many.
void add_reverse(std::uint32_t* const* counts, int max_order, std::uint64_t window, int known,
                 std::uint32_t weight) {
  std::uint32_t reversed = 0;  // reverse complement of the newest k bases
  for (int k = 0; k <= std::min(max_order, known - 1); ++k) {
    const std::uint32_t oldest = window >> 2 * k & 3;
    counts[k][reversed * 4 + (3 - oldest)] += weight;
    reversed = reversed << 2 | (3 - oldest);
  }
}

// Walks one sequence and counts it on both strands.
void count_both(const std::uint8_t* bases, std::int64_t n, std::uint32_t* const* counts,
                int max_order) {
  Context context;
  std::uint64_t window = 0;
  int known = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint8_t base = bases[i];
    if (base <= 3) {
      add(counts, max_order, context, base, 1);
      window = window << 2 | base;
      known = std::min(known + 1, max_order + 1);
      add_reverse(counts, max_order, window, known, 1);
    } else {
      known = 0;
    }
    context.push(base);
  }
}

double smoothed(const std::uint32_t* row, int base, double alpha) {
  const double total = double(row[0]) + row[1] + row[2] + row[3];
  return (row[base] + alpha) / (total + 4 * alpha);
}

}  // namespace

extern "C" {

void markov_count(const std::uint8_t* bases, std::int64_t n, std::uint32_t** counts,
                  int max_order) {
  count_both(bases, n, counts, max_order);
}

// Sum of bits of an order-k model (shorter orders where fewer than k bases are known); `scored`
// counts bases.
double markov_bits(const std::uint8_t* bases, std::int64_t n, std::uint32_t** counts, int order,
                   double alpha, std::int64_t* scored) {
  Context context;
  double bits = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (bases[i] <= 3) {
      const int k = std::min(order, context.length);
      bits -= std::log2(smoothed(counts[k] + context.last(k) * 4, bases[i], alpha));
      ++*scored;
    }
    context.push(bases[i]);
  }
  return bits;
}

// Adaptive mixture: p is proportional to prod_k p_k^w_k over orders 1..12 of the trained counts
// and, apart, of the counts of this sequence alone (both strands); the weights follow the gradient
// of the code length, one set for each number of orders whose context the sequence itself has seen.
// `weights` [14, 24] is kept between calls. `own` are zeroed counts; `rate` is the learning rate of
// the weights.
double mixture_bits(const std::uint8_t* bases, std::int64_t n, std::uint32_t** trained,
                    std::uint32_t** own, double rate, double* weights, std::int64_t* scored) {
  constexpr int kInputs = 2 * kMaxOrder;
  Context context;
  std::uint64_t window = 0;
  int known = 0;
  double bits = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint8_t base = bases[i];
    if (base <= 3) {
      float logs[kInputs][4] = {};
      int seen = 0;
      for (int k = 1; k <= std::min(kMaxOrder, context.length); ++k) {
        const std::uint32_t row = context.last(k) * 4;
        const std::uint32_t* a = trained[k] + row;
        const std::uint32_t* b = own[k] + row;
        const double total_b = double(b[0]) + b[1] + b[2] + b[3];
        seen += total_b > 0;
        for (int s = 0; s < 4; ++s) {
          logs[k - 1][s] = std::log(smoothed(a, s, 0.5)) - std::log(0.25);
          logs[kMaxOrder + k - 1][s] = std::log((b[s] + 0.1) / (total_b + 0.4)) - std::log(0.25);
        }
      }
      double* w = weights + seen * kInputs;
      double p[4], sum = 0;
      for (int s = 0; s < 4; ++s) {
        double dot = 0;
        for (int j = 0; j < kInputs; ++j)
          dot += w[j] * logs[j][s];
        sum += p[s] = std::exp(dot);
      }
      for (double& q : p)
        q /= sum;
      bits -= std::log2(p[base]);
      ++*scored;
      for (int j = 0; j < kInputs; ++j) {
        double mean = 0;
        for (int s = 0; s < 4; ++s)
          mean += p[s] * logs[j][s];
        w[j] += rate * (logs[j][base] - mean);
      }
      add(own, kMaxOrder, context, base, 1);
      window = window << 2 | base;
      known = std::min(known + 1, kMaxOrder + 1);
      add_reverse(own, kMaxOrder, window, known, 1);
    } else {
      known = 0;
    }
    context.push(base);
  }
  return bits;
}
}
