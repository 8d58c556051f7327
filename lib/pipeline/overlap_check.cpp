// SPDX-License-Identifier: MIT
// check_overlap: what the cut into windows costs, measured at random places.
#include <algorithm>
#include <cmath>
#include <memory>

#include "score_run.hpp"
#include "tile_windows.hpp"
#include "window_scorer.hpp"

namespace genomamba::pipeline {
namespace {

/// splitmix64: the same places on every machine.
class Places {
 public:
  explicit Places(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// One place, read in the window of each overlap.
class PlaceItem final : public WorkItem {
 public:
  std::array<ScorePiece, 2> pieces;
};

ScorePiece piece_at(const ScoreRun& run, std::size_t region, std::uint64_t position,
                    std::uint64_t overlap) {
  const io::Region& r = run.regions[region];
  const bool reverse = !strand_needs(run.options, run.model.model.config(), r).forward;
  const TilePlan plan(r.begin, r.end, run.contig_of(region).length, {run.options.window, overlap},
                      reverse);
  const Tile tile = plan.tile(plan.number_of(position));
  ScorePiece piece;
  piece.region = region;
  piece.contig = r.contig;
  piece.reverse = reverse;
  piece.begin = position;
  piece.end = position + 1;
  piece.read_begin = tile.read_begin;
  piece.read_end = tile.read_end;
  run.letters.read(piece, false);
  return piece;
}

}  // namespace

OverlapCheck check_overlap(const ScoreOptions& options, const LoadedModel& model,
                           io::ReferenceReader& reference, const std::vector<io::Region>& regions) {
  ScoreLetters letters(reference, options.letters);
  Runner runner(options.n_threads);
  ScoreRun run{.options = options,
               .model = model,
               .reference = reference,
               .regions = regions,
               .letters = letters,
               .runner = runner,
               .progress = nullptr};
  const WindowScorer scorer(options, model);
  std::vector<std::uint64_t> ends;  // running number of positions
  std::uint64_t total = 0;
  for (const io::Region& region : regions)
    ends.push_back(total += region.length());
  OverlapCheck check;
  if (total == 0) return check;
  Places places(total);
  std::size_t n_read = 0;
  double sum = 0;
  const auto read = [&]() -> std::unique_ptr<WorkItem> {
    if (n_read == options.overlap_check) return nullptr;
    ++n_read;
    const std::uint64_t place = places.next() % total;
    const auto region =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), place) - ends.begin());
    const std::uint64_t position = regions[region].end - (ends[region] - place);
    auto item = std::make_unique<PlaceItem>();
    const std::uint64_t overlap = options.overlap.value();
    item->pieces = {piece_at(run, region, position, overlap),
                    piece_at(run, region, position, 2 * overlap)};
    return item;
  };
  const auto compute = [&](WorkItem& item) {
    run.scratches.with([&](ScoreScratch& scratch) {
      for (ScorePiece& piece : static_cast<PlaceItem&>(item).pieces) {
        scorer.score(piece, options.batch_tokens, scratch, serial_executor());
      }
    });
  };
  const auto write = [&](WorkItem& item) {
    const auto& pieces = static_cast<PlaceItem&>(item).pieces;
    const std::size_t base = base_index(reported_letters(pieces[0]).front());
    if (base == kBases) return;
    const double difference = std::abs(static_cast<double>(pieces[0].ln_p[base]) -
                                       static_cast<double>(pieces[1].ln_p[base]));
    ++check.n_places;
    check.largest = std::max(check.largest, difference);
    sum += difference;
  };
  runner.run(read, compute, write);
  if (check.n_places > 0) check.mean = sum / static_cast<double>(check.n_places);
  return check;
}

}  // namespace genomamba::pipeline
