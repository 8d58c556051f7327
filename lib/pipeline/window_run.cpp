// SPDX-License-Identifier: MIT
// run_windows: bidirectional models, window by window; windows are independent, so any number of
// cores is used.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "genomamba/kernels/flush_denormals.hpp"
#include "score_run.hpp"
#include "tile_windows.hpp"
#include "window_scorer.hpp"

namespace genomamba::pipeline {
namespace {

/// The pieces of all regions in the order in which they are written: region by region, ascending,
/// strands in turn.
class WindowSource {
 public:
  explicit WindowSource(const ScoreRun& run) : run_(run) {}

  std::optional<ScorePiece> next() {
    for (; region_ < run_.regions.size(); ++region_, is_begun_ = false) {
      if (run_.regions[region_].length() == 0) continue;
      if (!is_begun_) begin_region();
      Side* const side = next_side();
      if (side == nullptr) continue;
      return take(*side);
    }
    return std::nullopt;
  }

  bool is_merged(std::size_t region) const { return needs(region).both(); }

 private:
  struct Side {
    std::optional<TilePlan> plan;
    std::uint64_t next = 0;
    bool reverse = false;
  };

  StrandNeeds needs(std::size_t region) const {
    return strand_needs(run_.options, run_.model.model.config(), run_.regions[region]);
  }

  void begin_region() {
    const io::Region& region = run_.regions[region_];
    const TilePlan::Sizes sizes{run_.options.window, run_.options.overlap.value()};
    const StrandNeeds needed = needs(region_);
    for (const bool reverse : {false, true}) {
      Side& side = reverse ? reverse_ : forward_;
      side = {};
      side.reverse = reverse;
      if (reverse ? !needed.reverse : !needed.forward) continue;
      side.plan.emplace(region.begin, region.end, run_.contig_of(region_).length, sizes, reverse);
    }
    is_begun_ = true;
  }

  /// The strand that is behind, so that the merger holds little.
  Side* next_side() {
    Side* chosen = nullptr;
    std::uint64_t begin = 0;
    for (Side* side : {&forward_, &reverse_}) {
      if (!side->plan || side->next == side->plan->n_tiles()) continue;
      const std::uint64_t tile_begin = side->plan->tile(side->next).begin;
      if (chosen == nullptr || tile_begin < begin) {
        chosen = side;
        begin = tile_begin;
      }
    }
    return chosen;
  }

  ScorePiece take(Side& side) const {
    const Tile tile = side.plan->tile(side.next++);
    ScorePiece piece;
    piece.region = region_;
    piece.contig = run_.regions[region_].contig;
    piece.reverse = side.reverse;
    piece.begin = tile.begin;
    piece.end = tile.end;
    piece.read_begin = tile.read_begin;
    piece.read_end = tile.read_end;
    return piece;
  }

  const ScoreRun& run_;
  std::size_t region_ = 0;
  bool is_begun_ = false;
  Side forward_;
  Side reverse_;
};

}  // namespace

void run_windows(ScoreRun& run, const WriteBlock& write) {
  const WindowScorer scorer(run.options, run.model);
  WindowSource source(run);
  BlockEmitter emitter(run.options, run.counts, write);
  const std::size_t batch_tokens = run.options.batch_tokens;
  std::optional<ScorePiece> long_piece;

  const auto read_next = [&]() -> std::optional<ScorePiece> {
    auto piece = source.next();
    if (piece) run.letters.read(*piece, !piece->reverse || !source.is_merged(piece->region));
    return piece;
  };
  const auto read = [&]() -> std::unique_ptr<WorkItem> {
    if (long_piece) return nullptr;
    auto batch = std::make_unique<ScoreBatch>();
    for (std::size_t n_letters = 0; n_letters < batch_tokens / 4 || batch->pieces.empty();) {
      auto piece = read_next();
      if (!piece) break;
      if (piece->n_read() > run.long_tokens()) {
        long_piece = std::move(piece);
        break;
      }
      n_letters += piece->n_read();
      batch->pieces.push_back(std::move(*piece));
    }
    if (batch->pieces.empty()) return nullptr;
    return batch;
  };
  const auto compute = [&](WorkItem& item) {
    run.scratches.with([&](ScoreScratch& scratch) {
      for (ScorePiece& piece : static_cast<ScoreBatch&>(item).pieces) {
        scorer.score(piece, batch_tokens, scratch, serial_executor());
        check_finite(piece, run.contig_of(piece.region).name);
      }
    });
  };
  const auto write_piece = [&](const ScorePiece& piece) {
    emitter.add(piece, source.is_merged(piece.region));
    run.report(piece.n_positions(), piece.n_tokens);
  };
  const auto write_item = [&](WorkItem& item) {
    for (const ScorePiece& piece : static_cast<ScoreBatch&>(item).pieces)
      write_piece(piece);
  };

  ScoreScratch long_scratch;
  for (;;) {
    run.runner.run(read, compute, write_item);
    if (!long_piece) break;
    const kernels::FlushDenormals flush;
    scorer.score(*long_piece, batch_tokens, long_scratch, run.runner.executor());
    check_finite(*long_piece, run.contig_of(long_piece->region).name);
    write_piece(*std::exchange(long_piece, std::nullopt));
  }
}

}  // namespace genomamba::pipeline
